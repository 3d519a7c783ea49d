import { fold } from "#core/text/fold";

/**
 * Words whose subject few would want told in a group. A memory with one of them is kept closer than it may need to be: a memory too closely kept
 * is missed once, one too openly kept is heard. English, German, Spanish, French, Chinese; stems where a star stands.
 */
const SENSITIVE =
  // Health
  "allerg* alerg* intoleran* coeliac celiac zöliakie celiac* anxiety anxious angst* angoisse depress* depresi* dépress* diabet* diabét* cancer krebs cáncer pregnan* schwanger* " +
  "embaraz* enceinte miscarriage therap* terap* thérap* psychiat* psicólog* psycholog* adhd adhs tdah autis* asperger bipolar schizo* hiv aids vih sida medication* medikament* " +
  "médicament* medicación antidepress* antidépress* diagnos* insulin* insulina insuline asthma asma asthme epilep* épilep* disabilit* disabled behindert* discapacid* handicap* " +
  "surgery surgeon cirugía chirurgie migraine* migräne migraña* disease* illness krank kranke krankheit* enfermedad* enferm malad* addict* alcoholic* sober rehab süchtig adicto " +
  "dialysis chemo* stroke heart-attack herpes infertil* ivf my-period menopaus* dementia alzheimer* parkinson* arthritis eczema ibs lupus dyslexi* tinnitus psoriasis scoliosis endometriosis anemi* anaemi* hypertension deaf blind insomnia* eating-disorder heart-condition pill pills medicine anorex* bulimi* suicid* ptsd ocd blood-pressure " +
  // Money
  "salary salaries wage wages income earn earns debt debts mortgage bankrupt* loan loans overdraft net-worth gehalt schulden kredit verdiene einkommen sueldo salario deuda* hipoteca " +
  "gano salaire dette* prêt hypothèque gagne " +
  // Faith
  "christian catholic* protestant* muslim* islam* jewish jew judaism buddhist* hindu* sikh* mormon* quaker* evangelical* orthodox atheist* agnostic* religio* ramadan church mosque synagogue pray praying prays " +
  "katholi* evangelisch* christ christin moslem* jüdisch* jude jüdin kirche moschee bete católic* cristian* musulm* judí* ateo atea iglesia mezquita rezo catholique* chrétien* juif " +
  "juive athée église mosquée prie " +
  // Sex
  "gay lesbian* lesbisch lesbiana lesbienne bisexual* bisexuel* queer genderqueer pansexual* bi transgender trans transsexu* homosex* asexual* nonbinary non-binary sexual* sexuel* schwul hetero* heterosex* porn* condom* " +
  // Politics
  "republican* libertarian* anarch* centrist liberal democrat democrats conservative socialist* communist* marxist* labour tory tories vote votes voted voter wähle wähler voto votante votar électeur politic* politisch* político* politique* " +
  "afd cdu csu spd fdp psoe podemos vox lfi rn trade-union gewerkschaft sindicato syndicat";

const PERSONAL =
  "divorc* scheid* geschied* separated getrennt separad* breakup single widow* witwe* viud* veuf veuve dating my-ex ex-wife ex-husband fired laid-off layoff resign* gekündigt kündigen despid* " +
  "licenci* unemployed arbeitslos desempleado chômage new-job take-the-job job-interview job-offer quit-my-job hate-my-job my-boss's looking-for-a-job neuen-job neue-stelle nuevo-trabajo nouveau-travail " +
  "nouvel-emploi vorstellungsgespräch lawsuit arrested prison gambling affair cheating home-address";

const SENSITIVE_CHINESE =
  /过敏|焦虑|抑郁|糖尿病|癌|怀孕|艾滋|手术|吃药|病|医生说|工资|薪水|年薪|月薪|债|贷款|基督|天主教|穆斯林|佛教|信教|同性恋|双性恋|投票|共产党|国民党/u;
const PERSONAL_CHINESE = /离婚|分手|单身|失业|辞职|找工作|新工作|被裁/u;
const MONEY =
  /[$€£¥]\s?\d|\b\d[\d.,]*\s?(?:k\b|(?:dollars?|euros?|pounds?|dólares|libras)\s+(?:a|per|im|al|por|par)\s+(?:year|month|hour|jahr|monat|año|mes|an|mois))/iu;
/** To see a doctor is of health; to be one is a trade. */
const DOCTORS = "(?:doctor|gp|hospital|clinic|arzt|ärztin|krankenhaus|médic[oa]|hospital|médecin|hôpital|psychologist)";
const GOING = "(?:see|call|visit|appointment|checkup|check-up|termin|anrufen|besuchen|cita|llamar|rendez-vous|voir|appeler)";
const VISIT = new RegExp(
  `(?<!\\p{L})(?:${GOING}(?!\\p{L}).*(?<!\\p{L})${DOCTORS}|${DOCTORS}(?!\\p{L}).*(?<!\\p{L})${GOING})(?!\\p{L})`,
  "iu",
);
const WORDS = /[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu;

type Words = { whole: ReadonlySet<string>; stems: readonly string[]; phrases: readonly string[] };

const LISTS = { sensitive: read(SENSITIVE), personal: read(PERSONAL) };

export function sensitivityOf(content: string): "personal" | "sensitive" | null {
  const words = (content.match(WORDS) ?? []).map((word) => fold(word.replaceAll("’", "'")));
  if (holds(LISTS.sensitive, words) || SENSITIVE_CHINESE.test(content) || VISIT.test(content) || MONEY.test(content))
    return "sensitive";
  return holds(LISTS.personal, words) || PERSONAL_CHINESE.test(content) ? "personal" : null;
}

function read(list: string): Words {
  const words = list
    .split(" ")
    .filter((word) => word !== "")
    .map(fold);
  return {
    whole: new Set(words.filter((word) => !word.endsWith("*"))),
    stems: words.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1)),
    phrases: words.filter((word) => word.includes("-")).map((word) => ` ${word.replaceAll("-", " ")} `),
  };
}

function holds(list: Words, words: readonly string[]): boolean {
  const line = ` ${words.join(" ")} `;
  return (
    words.some((word) => list.whole.has(word) || list.stems.some((stem) => word.startsWith(stem))) ||
    list.phrases.some((phrase) => line.includes(phrase))
  );
}
