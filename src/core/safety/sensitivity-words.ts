/** English, German, Spanish and French together, so a word that is harmless in one of them is left out. A star ends a stem; a hyphen joins the words of a phrase. */
const HEALTH =
  "allerg* alerg* intoleran* coeliac celiac zöliakie celiac* anxiety anxious ansiedad angst* angoisse depress* depresi* dépress* depressiv* diabet* diabét* cancer krebs cáncer tumor* tumour* tumeur* leuk* lymphom* " +
  "melanom* psychiat* psicólog* psycholog* psychisch* therap* terap* thérap* counselling counseling counsellor counselor adhd adhs tdah autis* asperger bipolar* schizo* hiv vih séropositi* sida disorder* trastorno* " +
  "syndrom* symptom* insulin* insulina insuline asthma* asma asthme epilep* épilep* disabilit* disabled behindert* discapac* handicap* wheelchair* rollstuhl* fauteuil-roulant silla-de-ruedas surgery surgeon operiert operad* me-operan me-van-a-operar " +
  "opéré* cirugía chirurgie biopsy mri migraine* migräne* migraña* disease* illness ill krank kranke krankheit* krankgeschrieben enfermedad* enfermo enferma enfermos enfermas malad* arrêt-maladie sick-leave sick-note dialysis chemo* quimio* chimio* " +
  "radiotherap* stroke schlaganfall infarct* infarkt herzinfarkt herzfehler* infarto infarctus avc heart-attack heart-disease heart-failure heart-condition pacemaker* dementia demenz alzheimer* parkinson* multiple-sclerosis sclérose " +
  "esclerosis rheuma* fibromyalg* crohn* tubercul* tuberkul* hepatit* eczema ibs lupus dyslexi* tinnitus psoriasis scoliosis anemi* anaemi* hypertension high-blood-pressure bluthochdruck deaf blind insomnia* sleep-apnea " +
  "schilddrüs* thyroid* tiroid* thyroïd* glaucom* kidney* eating-disorder essstörung* magersucht anorex* bulimi* boulimi* obes* overweight übergewicht* suicid* selbstmord* self-harm* cut-myself cutting-myself autolesi* scarif* ptsd ocd burnout burn-out " +
  "panic-attack* panic-attacks panikattacke* nervous-breakdown trauma* seizure* hospitali* inpatient transplant* incontinen* long-covid blood-pressure diagnos* diagnóst*";

const MEDICINES =
  "medication* medikament* médicament* medicación medicine medicines meds pill pills pille tabletten pastilla* comprimé* cachets antidepres* antidépress* antibiotic* antihistamin* prescri* dosage inhaler* epipen steroid* cortison* " +
  "prednison* testosterone estrogen* oestrogen* estradiol hormon* hrt statin* beta-blocker* betablocker* painkiller* lexapro prozac zoloft sertralin* citalopram escitalopram cymbalta effexor venlafaxin* wellbutrin bupropion " +
  "lithium seroquel quetiapin* risper* abilify aripiprazol* olanzapin* lamotrigin* lamictal xanax valium ativan klonopin adderall ritalin methylphenidat* elvanse vyvanse concerta medikinet strattera ambien zolpidem metformin* " +
  "ozempic wegovy mounjaro semaglutid* truvada biktarvy viagra cialis levothyrox* thyroxin* synthroid warfarin* tamoxifen* methotrexat* humira finasterid* accutane isotretinoin* oxycodon* oxycontin percocet vicodin morphin* " +
  "morfina tramadol* codein* kodein* gabapentin* pregabalin* lyrica ibuprofen* paracetamol aspirin*";

const REPRODUCTION =
  "pregnan* schwanger* embaraz* enceinte grossesse miscarr* fehlgeburt* fausse-couche stillb* totgeburt abort* abtreib* abgetrieben avort* ivg contracep* anticoncep* empfängnis* verhütung* birth-control morning-after " +
  "planned-parenthood antibabypille pilule iud vasectom* hysterectom* fertility fertilité fertilidad infertil* infértil* unfruchtbar* kinderwunsch* ivf fiv iui surroga* conceive my-period menstru* ovulat* ovar* menopaus* ménopaus* wechseljahre* " +
  "postpartum wochenbett* endometriosis pcos trimester erectile impoten* libido virgin virginity std sti chlamydia gonorrh* syphilis herpes hpv";

const ADDICTION =
  "addict* adicto adicta adicción adictos accro alcoholic* alcoholism alkoholi* alkoholsucht alcohólic* alcooli* aa na-meeting na-meetings al-anon alcoholics-anonymous narcotics-anonymous anonyme-alkoholiker sober sobriety sobrio sobria sobriedad nüchtern rehab " +
  "rehabilitación relaps* rückfall recaída rechute detox* entzug* désintox* desintox* sevrage süchtig* spielsucht* drogensucht* suchtberatung suchtklinik twelve-step 12-step my-sponsor drinking-problem drinks-too-much drink-too-much " +
  "trinkt-zu-viel drunk betrunken borrach* quit-drinking stopped-drinking gambl* ludop* methadon* suboxone naltrexon* hungover";

const DRUGS =
  "cocain* cocaín* kokain* cocaïn* heroin héroïne heroína crack-pipe meth crystal-meth amphetamin* amfetamin* weed cannabis marijuana marihuana haschisch thc ketamin* mdma ecstasy éxtasis lsd opioid* opiat* fentanyl shrooms psilocybin* " +
  "microdos* drug drugs drug-dealer droga* drogen* drogue* stoned get-high smoke-pot kiffe kiffen gekifft kiffer porro* beuh line-of-coke do-coke";

const MONEY =
  "salary salaries salaire* wage wages income earn earns earned paycheck payslip pay-me pays-me paid-me get-paid gets-paid i'm-paid debt* debts i'm-broke im-broke am-broke mortgage* bankrupt* insolven* privatinsolvenz loan loans overdraft overdrawn arrears net-worth " +
  "credit-score credit-card-debt savings pension payday bailiff* foreclos* evict* alimony child-support food-stamps welfare six-figures minimum-wage owe owes owed owing gehalt* lohn schulde schulden schuldet verschuldet pleite gepfändet kredit " +
  "verdiene verdient einkommen bürgergeld sueldo salario* nómina deuda* debo-dinero le-debo les-debo hipoteca* embarg* bancarrota quiebra préstamo* gano dette* endett* surendett* prêt faillite smic hypothèque gagne";

const CRIME =
  "parole probation prison jail jailed inmate convict* felon* misdemean* criminal criminal-record ex-con arrest* indict* shoplift* embezzl* burglar* dui dwi warrant bail custody sentenced gang sex-offender ankle-monitor community-service " +
  "bewährung* gefängnis* knast haft vorbestraft vorstrafe* verurteil* verhaftet straftat* strafverfahren fußfessel cárcel prisión preso presa condenad* detenid* antecedentes libertad-condicional delito* garde-à-vue casier-judiciaire " +
  "condamn* détenu* libération-conditionnelle sursis délinqu*";

const VIOLENCE =
  "abus* violen* assault* rape raped rapist molest* harass* stalk* threat* domestic-violence hits-me hit-me hitting-me beats-me beat-me beating-me slaps-me slapped-me punches-me punched-me hurts-me hurt-me chokes-me choked-me kicks-me " +
  "kicked-me forced-me forces-me touches-me controls-me afraid-of-him afraid-of-her scared-of-him scared-of-her restraining-order women's-shelter killed murder* manslaughter stabbed schlägt-mich schlug-mich mich-schlägt geschlagen " +
  "misshandel* missbrauch* vergewaltig* gewalt gewalttät* bedroht bedrohung häusliche me-pega me-pegó me-golpea me-golpeó me-maltrata maltrat* violó violac* amenaz* acoso acosa me-frappe m'a-frappé m'a-frappée me-bat viol violée agress* " +
  "harcel* harcèl* maltrait*";

const IMMIGRATION =
  "undocumented deport* asylum asyl* asilo asile refugee* refugi* réfugi* visa visas visum visado green-card immigra* immigr* inmigra* overstay* work-permit residence-permit citizenship daca illegal illegally stateless naturalized " +
  "naturalised naturalization abschieb* abgeschoben aufenthaltserlaubnis aufenthaltstitel flüchtling* geflüchtet* duldung einbürger* sin-papeles indocumentad* sans-papiers titre-de-séjour oqtf clandestin*";

const FAITH =
  "christian catholic* protestant* muslim* islam* jewish jew judaism buddhist* hindu* sikh* mormon* quaker* evangelical* orthodox atheist* agnostic* religio* religiö* ramadan church mosque synagog* pray praying prays prayer* jesus allah quran " +
  "koran bible torah rosary baptis* baptiz* hijab* rabbi imam jehovah* scientolog* wicca* pagan* taoist* bahai sunni* shia shiite sabbath shabbat* gospel faith my-god believe-in-god ex-muslim go-to-mass to-mass " +
  "katholi* evangelisch* christ christin moslem* jüdisch* jude jüdin kirche moschee bete gläubig* an-gott bibel zeugen-jehovas konfession* kopftuch bete católic* cristian* musulm* judí* ateo atea iglesia mezquita rezo rezar biblia corán " +
  "a-misa creyente* bautiz* testigo-de-jehová evangélic* catholique* chrétien* juif juive athée église mosquée prie croyant* coran à-la-messe baptê* témoin-de-jéhovah évangéli*";

const SEXUALITY =
  "gay gays lesbian* lesbisch lesbe lesben lesbiana lesbienne bisexual* bisexuel* bisexuell* queer genderqueer genderfluid gender-identity pansexual* bi transgender trans transsexu* transfrau transmann transitioning dysphori* intersex* homosex* " +
  "homo asexual* nonbinary non-binary lgbt* sex sexual* sexuel* sexo sexe schwul* hetero* heterosex* porn* condom* kondom* closeted came-out geoutet polyamor* fetish* bdsm sex-worker sex-work onlyfans grindr hookup* " +
  "one-night-stand i'm-straight attracted-to prefer-men prefer-women prefer-girls prefer-boys prefer-guys like-men like-women like-girls like-boys like-guys love-men love-women into-men into-women into-girls into-guys date-men " +
  "date-women dating-men dating-women sleep-with slept-with auf-männer auf-frauen männer-lieber frauen-lieber mag-männer mag-frauen liebe-männer liebe-frauen prefiero-hombres prefiero-mujeres los-hombres las-mujeres los-chicos las-chicas " +
  "les-hommes les-femmes les-garçons les-filles gouine salir-del-armario coming-out";

const POLITICS =
  "republican* libertarian* anarch* centrist liberal democrat democrats conservative socialist* communis* comunis* kommunis* marxist* fascis* fascho* nazi* nationalis* zionis* antifa labour tory tories vote votes voted voter voters voting " +
  "wähle wählte wähler voto voté votó votante votar voter votons électeur politic* politisch* político* política* politique* left-wing right-wing leftist* far-right far-left maga trump trump's brexit* pro-life pro-choice feminis* activist* " +
  "activism aktivist* militant* party-member protester* demonstration* afd cdu csu spd fdp psoe vox lfi rn macron* le-pen mélenchon linksradikal* rechtsradikal* parteimitglied sozialist* extrême-droite extrême-gauche manif";

const UNIONS =
  "trade-union labor-union labour-union my-union our-union the-union a-union union-member union-members union-rep union-meeting union-dues unionize* unionise* unionist* on-strike picket* shop-steward gewerkschaft* betriebsrat* ig-metall streik " +
  "streike streiken sindica* huelga* ugt ccoo syndicat* syndiqu* syndical* cgt cfdt grève gréviste*";

export const SENSITIVE = [
  HEALTH,
  MEDICINES,
  REPRODUCTION,
  ADDICTION,
  DRUGS,
  MONEY,
  CRIME,
  VIOLENCE,
  IMMIGRATION,
  FAITH,
  SEXUALITY,
  POLITICS,
  UNIONS,
].join(" ");

export const PERSONAL =
  "divorc* scheid* geschied* separated getrennt separad* breakup single widow* witwe* viud* veuf veuve dating my-ex ex-wife ex-husband fired laid-off layoff resign* gekündigt kündigen despid* " +
  "licenci* unemployed arbeitslos desempleado chômage new-job take-the-job job-interview job-offer quit-my-job hate-my-job my-boss's looking-for-a-job neuen-job neue-stelle nuevo-trabajo nouveau-travail " +
  "nouvel-emploi vorstellungsgespräch lawsuit affair cheating cheats-on home-address";

export const SENSITIVE_CHINESE =
  /过敏|焦虑|抑郁|躁郁|强迫症|厌食|糖尿病|癌|肿瘤|怀孕|备孕|流产|堕过?胎|人流|避孕|不孕|试管婴儿|月经|痛经|艾滋|手术|住院|化疗|药|病|确诊|诊断|残疾|自闭|失眠|自杀|自残|心理医生|心理咨询|哮喘|高血压|医生说|戒酒|酗酒|上瘾|戒毒|吸毒|毒品|大麻|可卡因|海洛因|冰毒|赌博|赌瘾|工资|薪|债|贷款|房贷|欠|破产|收入|月入|年入|(?:挣|赚)\S{0,6}[万千元块]|假释|坐过?牢|没钱|监狱|犯罪|前科|缓刑|判刑|被捕|拘留|打我|家暴|强奸|性侵|虐待|骚扰|威胁|殴打|签证|难民|移民|庇护|遣返|黑户|绿卡|基督|天主教|穆斯林|伊斯兰|清真寺|教会|教堂|佛教|信佛|道教|信教|信仰|祷告|同性|双性恋|出柜|变性|跨性别|性取向|喜欢(?:男|女)(?:人|生|孩)|投票|共产党|国民党|民进党|党员|入党|政治|抗议|工会|罢工/;
export const PERSONAL_CHINESE = /离婚|分手|单身|失业|辞职|找工作|新工作|被裁/;
