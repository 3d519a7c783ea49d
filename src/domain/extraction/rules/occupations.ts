/** Occupations as they follow "I'm a", by the last word of the name ("primary school teacher"). */
const ENGLISH =
  "accountant actor actress actuary analyst anaesthetist anesthesiologist animator anthropologist archaeologist archeologist architect archivist artist assistant astronomer athlete attorney auditor author babysitter " +
  "baker banker barber barista bartender beekeeper biochemist biologist blacksmith blogger bookkeeper bookseller botanist broker builder butcher carer caregiver carpenter cartographer cashier chef chemist " +
  "chiropractor choreographer cleaner clerk coach coder comedian composer conductor consultant contractor cook copywriter counselor counsellor courier curator dancer dentist designer developer devops dietitian " +
  "director dj doctor driver drummer ecologist economist editor electrician engineer entrepreneur farmer filmmaker firefighter fisherman florist founder freelancer gardener geographer geologist " +
  "gp grad-student graphic hairdresser historian homemaker housewife illustrator instructor intern interpreter investor janitor jeweller jeweler journalist judge kindergartner lawyer lecturer " +
  "librarian lifeguard linguist locksmith logistician machinist magician maintainer maker manager marine marketer mason mathematician mechanic medic meteorologist midwife miner minister model musician nanny " +
  "neurologist neuroscientist nurse nutritionist officer optician optometrist painter paralegal paramedic pastor pediatrician pharmacist philosopher photographer physician physicist physiotherapist pianist pilot " +
  "plumber poet policeman policewoman politician postdoc postman potter priest principal producer professor programmer psychiatrist psychologist publisher rabbi radiologist realtor receptionist " +
  "recruiter referee reporter researcher retiree sailor salesman salesperson saleswoman scientist sculptor secretary servant singer soldier sommelier statistician stockbroker student " +
  "sculptor supervisor surgeon surveyor sysadmin tailor teacher technician therapist trainee trainer translator trucker tutor undergraduate undertaker upholsterer veterinarian vet vicar videographer violinist " +
  "waiter waitress watchmaker weaver welder writer youtuber zookeeper zoologist administrator carpenter apprentice dad mom mum paediatrician";

const GERMAN =
  "arzt ärztin lehrer lehrerin ingenieur ingenieurin krankenpfleger krankenpflegerin krankenschwester anwalt anwältin koch köchin bäcker bäckerin student studentin informatiker informatikerin programmierer " +
  "programmiererin entwickler entwicklerin softwareentwickler softwareentwicklerin designer designerin architekt architektin journalist journalistin tischler tischlerin schreiner elektriker elektrikerin " +
  "mechaniker mechanikerin polizist polizistin apotheker apothekerin psychologe psychologin erzieher erzieherin buchhalter buchhalterin verkäufer verkäuferin rentner rentnerin schüler schülerin " +
  "wissenschaftler wissenschaftlerin physiker physikerin biologe biologin chemiker chemikerin übersetzer übersetzerin musiker musikerin künstler künstlerin fotograf fotografin zahnarzt zahnärztin " +
  "tierarzt tierärztin pfleger pflegerin hebamme maler malerin landwirt landwirtin bauer bäuerin friseur friseurin kellner kellnerin pilot pilotin richter richterin steuerberater steuerberaterin";

const SPANISH =
  "médico médica profesor profesora ingeniero ingeniera enfermero enfermera abogado abogada cocinero cocinera panadero panadera estudiante informático informática programador programadora desarrollador " +
  "desarrolladora diseñador diseñadora arquitecto arquitecta periodista carpintero carpintera electricista mecánico mecánica policía farmacéutico farmacéutica psicólogo psicóloga maestro maestra contable " +
  "contador contadora vendedor vendedora jubilado jubilada científico científica físico física biólogo bióloga químico química traductor traductora músico música artista fotógrafo fotógrafa dentista veterinario " +
  "veterinaria matrona pintor pintora agricultor agricultora peluquero peluquera camarero camarera piloto juez jueza escritor escritora actor actriz bombero bombera";

const FRENCH =
  "médecin professeur professeure prof enseignant enseignante ingénieur ingénieure infirmier infirmière avocat avocate cuisinier cuisinière boulanger boulangère étudiant étudiante informaticien informaticienne " +
  "programmeur programmeuse développeur développeuse designer architecte journaliste menuisier menuisière électricien électricienne mécanicien mécanicienne policier policière pharmacien pharmacienne psychologue " +
  "instituteur institutrice comptable vendeur vendeuse retraité retraitée scientifique chercheur chercheuse physicien physicienne biologiste chimiste traducteur traductrice musicien musicienne artiste photographe " +
  "dentiste vétérinaire peintre agriculteur agricultrice coiffeur coiffeuse serveur serveuse pilote juge écrivain écrivaine acteur actrice pompier pompière";

const CHINESE =
  "护士 医生 老师 教师 工程师 程序员 律师 学生 大学生 研究生 设计师 厨师 司机 警察 会计 记者 作家 画家 演员 歌手 科学家 教授 建筑师 药剂师 牙医 翻译 摄影师 销售 农民 军人 消防员 飞行员 经理 产品经理 自由职业者";

const OCCUPATIONS = new Set([ENGLISH, GERMAN, SPANISH, FRENCH].flatMap((words) => words.split(" ")));
/** After one of these words, another person's occupation may follow ("a friend of a nurse"). */
const NOT_BEFORE: ReadonlySet<string> = new Set(
  "of for with in from to and or the a an who that like not fan at on by".split(" "),
);

export const CHINESE_OCCUPATIONS = CHINESE.split(" ").join("|");

/** Whether up to five words begin with an occupation and what specifies it ("primary school teacher from Hull"). */
export function isOccupation(words: string): boolean {
  for (const word of words.toLowerCase().split(" ")) {
    if (OCCUPATIONS.has(word)) return true;
    if (NOT_BEFORE.has(word)) return false;
  }
  return false;
}
