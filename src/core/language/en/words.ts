import type { WordClasses } from "#core/language/pack";

export const ENGLISH_WORDS: WordClasses = {
  me: "i im i'm ive i've i'll i'd me my mine myself ma meself",
  us: "we we're we've we'll weve our ours us ourselves",
  you: "you your yours yourself u ur ya you're youre yous y'all",
  third: "he she they him her his hers their them he's she's hes shes they're theyre they've himself herself",
  kin: "wife husband hubby partner fiance fiancee girlfriend boyfriend gf bf missus mrs mother mom mum mam mama mummy mommy father dad daddy papa da sister sis brother bro sibling son daughter child kid kids children baby toddler twin twins cousin uncle aunt auntie niece nephew grandmother grandma granny gran nan nana nanna grandfather grandpa grandad granddad grandson granddaughter grandchild stepson stepdaughter stepmum stepdad boss manager supervisor colleague coworker teacher coach therapist doctor dentist gp vet landlord landlady neighbour neighbor roommate flatmate housemate lodger tenant friend mate buddy bestie ex family parents in-laws sister-in-law brother-in-law mother-in-law father-in-law fella bloke lad lads girls boys",
  pet: "dog dogs cat cats puppy pup kitten horse pony rabbit hamster parrot budgie tortoise hens chickens goat goats cows sheep birds lab terrier spaniel",
  not: "not no never none dont don't doesnt doesn't didnt didn't cant can't cannot wont won't isnt isn't arent aren't wasnt wasn't without nothing nobody nor neither aint ain't hasnt hasn't havent haven't wouldnt wouldn't shouldnt shouldn't",
  change:
    "anymore longer now since finally just moved changed switched swapped left quit started starting starts stopped broke split sold bought signed passed joined got new instead till until from gone become became used officially",
  time: "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec tomorrow tonight today yesterday week weeks month months year years yrs day days morning mornings evening evenings night nights weekend weekends summer winter spring autumn next last am pm birthday anniversary term",
  always: "always never every each usually normally only ever forever permanently daily weekly whenever anytime please pls",
  ask: "what what's whats how how's hows why when where who who's which whose can could would should will does do did is are was were any",
  order:
    "write rewrite translate make give tell explain summarise summarize draft list show find fix check correct convert create generate suggest recommend compare describe help pretend imagine roleplay act play continue finish complete proofread rephrase calculate plan turn",
  text: "poem story song lyrics letter email text essay paragraph sentence dialogue script scene quote article caption speech joke riddle recipe code function error template character novel haiku limerick review post tweet",
  if: "if suppose imagine hypothetically would wish maybe perhaps might unless whether say",
  say: "said says saying told tells asked asks reckons thinks wrote writes according apparently heard",
  like: "like likes love loves hate hates prefer prefers enjoy enjoys favourite favorite fav can't stand into fan obsessed rather allergic",
  health:
    "allergic allergy allergies asthma diabetic diabetes coeliac celiac pregnant epilepsy adhd autistic autism dyslexic dyslexia anxiety depression cancer surgery operation physio meds medication tablets insulin inhaler hospital diagnosed diagnosis migraine migraines arthritis wheelchair vegan vegetarian halal kosher gluten dairy lactose intolerant knee hip pain blood stroke dementia deaf blind sober rehab chemo scan",
  work: "work works working job shift shifts office company team shop school uni university college course exam exams degree apprentice apprenticeship nurse driver contract clients client customers boss business project deadline interview rota class client's retire retired promotion salary rent mortgage",
  home: "live lives living moved moving house flat apartment place room home street city town village country address",
  have: "have has had having got own owns keep keeps",
  be: "am is are was were be been being",
  thanks:
    "thanks thank ta cheers ok okay lol haha hi hello hey morning bye thx ty yes yeah yep nope nah cool nice great perfect sorry",
};
