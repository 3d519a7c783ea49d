import type { SensitiveWords } from "#core/language/pack";

export const ENGLISH_SENSITIVITY: SensitiveWords = {
  sensitive: `
    allerg* intoleran* coeliac celiac celiac* anxiety anxious depress* diabet* cancer tumor* tumour* leuk* lymphom* melanom* psychiat* psycholog* therap*
    terap* counselling counseling counsellor counselor adhd autis* asperger bipolar* schizo* hiv disorder* syndrom* symptom* insulin* asthma* epilep*
    disabilit* disabled handicap* wheelchair* surgery surgeon biopsy mri migraine* disease* illness ill sick-leave sick-note dialysis chemo* chimio*
    radiotherap* stroke infarct* heart-attack heart-disease heart-failure heart-condition pacemaker* dementia alzheimer* parkinson* multiple-sclerosis
    fibromyalg* crohn* tubercul* hepatit* eczema ibs lupus dyslexi* tinnitus psoriasis scoliosis anaemi* hypertension high-blood-pressure deaf blind
    insomnia* sleep-apnea thyroid* glaucom* kidney* eating-disorder anorex* bulimi* obes* overweight suicid* self-harm* cut-myself cutting-myself ptsd ocd
    burnout burn-out panic-attack* panic-attacks nervous-breakdown trauma* seizure* hospitali* inpatient transplant* incontinen* long-covid blood-pressure
    diagnos*
    medication* medicine medicines meds pill pills antibiotic* antihistamin* prescri* dosage inhaler* epipen steroid* prednison* testosterone estrogen*
    oestrogen* estradiol hormon* hrt statin* beta-blocker* painkiller* lexapro prozac zoloft sertralin* citalopram escitalopram cymbalta effexor
    venlafaxin* wellbutrin bupropion lithium seroquel quetiapin* risper* abilify aripiprazol* olanzapin* lamotrigin* lamictal xanax valium ativan klonopin
    adderall ritalin methylphenidat* vyvanse concerta strattera ambien zolpidem metformin* ozempic wegovy mounjaro semaglutid* truvada biktarvy viagra
    cialis levothyrox* thyroxin* synthroid warfarin* tamoxifen* methotrexat* humira finasterid* accutane isotretinoin* oxycodon* oxycontin percocet
    vicodin morphin* tramadol* codein* gabapentin* pregabalin* lyrica ibuprofen* paracetamol aspirin*
    pregnan* miscarr* stillb* abort* ivg contracep* birth-control morning-after planned-parenthood iud vasectom* hysterectom* fertility infertil* ivf iui
    surroga* conceive my-period menstru* ovulat* ovar* menopaus* postpartum endometriosis pcos trimester erectile impoten* libido virgin virginity std sti
    chlamydia gonorrh* syphilis herpes hpv
    addict* alcoholic* alcoholism aa na-meeting na-meetings al-anon alcoholics-anonymous narcotics-anonymous sober sobriety rehab rehabilitación relaps*
    detox* twelve-step 12-step my-sponsor drinking-problem drinks-too-much drink-too-much drunk quit-drinking stopped-drinking gambl* methadon* suboxone
    naltrexon* hungover
    cocain* heroin crack-pipe meth crystal-meth amphetamin* amfetamin* weed cannabis marijuana thc ketamin* mdma ecstasy lsd opioid* opiat* fentanyl
    shrooms psilocybin* microdos* drug drugs drug-dealer stoned get-high smoke-pot line-of-coke do-coke
    salary salaries wage wages income earn earns earned paycheck payslip pay-me pays-me paid-me get-paid gets-paid i'm-paid debt* debts i'm-broke im-broke
    am-broke mortgage* bankrupt* insolven* loan loans overdraft overdrawn arrears net-worth credit-score credit-card-debt savings pension payday bailiff*
    foreclos* evict* alimony child-support food-stamps welfare six-figures minimum-wage owe owes owed owing
    parole probation prison jail jailed inmate convict* felon* misdemean* criminal criminal-record ex-con arrest* indict* shoplift* embezzl* burglar* dui
    dwi warrant bail custody sentenced gang sex-offender ankle-monitor community-service
    abus* violen* assault* rape raped rapist molest* harass* stalk* threat* domestic-violence hits-me hit-me hitting-me beats-me beat-me beating-me
    slaps-me slapped-me punches-me punched-me hurts-me hurt-me chokes-me choked-me kicks-me kicked-me forced-me forces-me touches-me controls-me
    afraid-of-him afraid-of-her scared-of-him scared-of-her restraining-order women's-shelter killed murder* manslaughter stabbed
    undocumented deport* asylum refugee* visa visas green-card immigra* overstay* work-permit residence-permit citizenship daca illegal illegally
    stateless naturalized naturalised naturalization
    christian catholic* protestant* muslim* islam* jewish jew judaism buddhist* hindu* sikh* mormon* quaker* evangelical* orthodox atheist* agnostic*
    religio* ramadan church mosque synagog* pray praying prays prayer* jesus allah quran koran bible torah rosary baptis* baptiz* hijab* rabbi imam
    jehovah* scientolog* wicca* pagan* taoist* bahai sunni* shia shiite sabbath shabbat* gospel faith my-god believe-in-god ex-muslim go-to-mass to-mass
    gay gays lesbian* bisexual* queer genderqueer genderfluid gender-identity pansexual* bi transgender trans transsexu* transitioning dysphori* intersex*
    homosex* homo asexual* nonbinary non-binary lgbt* sex sexual* hetero* heterosex* porn* condom* closeted came-out polyamor* fetish* bdsm sex-worker
    sex-work onlyfans grindr hookup* one-night-stand i'm-straight attracted-to prefer-men prefer-women prefer-girls prefer-boys prefer-guys like-men
    like-women like-girls like-boys like-guys love-men love-women into-men into-women into-girls into-guys date-men date-women dating-men dating-women
    sleep-with slept-with coming-out
    republican* libertarian* anarch* centrist liberal democrat democrats conservative socialist* communis* marxist* fascis* nazi* nationalis* zionis*
    antifa labour tory tories vote votes voted voter voters voting politic* left-wing right-wing leftist* far-right far-left maga trump trump's brexit*
    pro-life pro-choice feminis* activist* activism aktivist* party-member protester* demonstration*
    trade-union labor-union labour-union my-union our-union the-union a-union union-member union-members union-rep union-meeting union-dues unionize*
    unionise* unionist* on-strike picket* shop-steward`,
  personal: `
    divorc* separated breakup single widow* dating my-ex ex-wife ex-husband fired laid-off layoff resign* unemployed new-job take-the-job job-interview
    job-offer quit-my-job hate-my-job my-boss's looking-for-a-job lawsuit affair cheating cheats-on home-address`,
  doctors: "doctor|gp|hospital|clinic|psychologist|urologist|gyna?ecologist|oncologist|cardiologist",
  visits: "see|call|visit|appointment|checkup|check-up",
  numbers: "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|grand",
  currencies: "dollars?|euros?|pounds?|bucks|quid|yen|rupees",
  earning: "gets?|earns?|makes?|paid|pays?|borrowed|saved",
  untaxed: "before tax|after tax|gross|net",
  periods: "(?:a|an|per|every|each) (?:year|annum|month|week|hour)|annually|yearly",
};
