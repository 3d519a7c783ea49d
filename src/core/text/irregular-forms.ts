/**
 * Each entry is a lemma, then the forms that no suffix rule finds. Forms that are as often another word ("bit", "bore", "ground", "rose",
 * "wound", "lay") are left out.
 */
const TABLE = `
arise arose arisen; awake awoke awoken; be am is are was were been; bear borne; beat beaten; become became;
befall befell befallen; begin began begun; behold beheld; bend bent; bite bitten; bleed bled; blow blew blown;
break broke broken; breed bred; bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen;
cling clung; come came; creep crept; deal dealt; dig dug; do does did done; draw drew drawn; dream dreamt; drink drank drunk;
drive drove driven; dwell dwelt; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled;
fling flung; fly flew flown; forbid forbade forbidden; foresee foresaw foreseen; forget forgot forgotten;
forgive forgave forgiven; forsake forsook forsaken; freeze froze frozen; get got gotten; give gave given; go went gone goes;
grow grew grown; hang hung; have has had; hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known;
lay laid; lead led; lean leant; leap leapt; learn learnt; leave left; lend lent; light lit; lose lost; make made; mean meant;
meet met; mislead misled; mistake mistook mistaken; misunderstand misunderstood; mow mown; outgrow outgrew outgrown;
overcome overcame; oversee oversaw overseen; oversleep overslept; overtake overtook overtaken; pay paid; prove proven;
rebuild rebuilt; redo redid redone; repay repaid; retake retook retaken; rethink rethought; rewrite rewrote rewritten;
ride rode ridden; ring rang rung; rise risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; sew sewn;
shake shook shaken; shave shaven; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk;
sit sat; sleep slept; slide slid; sling slung; smell smelt; sneak snuck; sow sown; speak spoke spoken; speed sped;
spell spelt; spend spent; spill spilt; spin spun; spit spat; spoil spoilt; spring sprang sprung; stand stood;
steal stole stolen; stick stuck; sting stung; stink stank stunk; stride strode; strike struck stricken; string strung;
strive strove striven; swear swore sworn; sweep swept; swell swollen; swim swam swum; swing swung; take took taken;
teach taught; tear tore torn; tell told; think thought; throw threw thrown; tread trod trodden; undergo underwent undergone;
understand understood; undertake undertook undertaken; undo undid undone; uphold upheld; wake woke woken; wear wore worn;
weave wove woven; weep wept; win won; withdraw withdrew withdrawn; withhold withheld; withstand withstood; wring wrung;
write wrote written; analysis analyses; appendix appendices; axis axes; basis bases; cactus cacti; calf calves;
child children; crisis crises; criterion criteria; curriculum curricula; diagnosis diagnoses; elf elves; foot feet;
fungus fungi; goose geese; half halves; hypothesis hypotheses; index indices; knife knives; leaf leaves; life lives;
loaf loaves; louse lice; man men; matrix matrices; medium media; mouse mice; nucleus nuclei; oasis oases; ox oxen;
person people ppl; phenomenon phenomena; potato potatoes; radius radii; scarf scarves; self selves; shelf shelves;
stimulus stimuli; synopsis synopses; syllabus syllabi; thesis theses; thief thieves; tomato tomatoes; tooth teeth;
vertex vertices; wife wives; wolf wolves; woman women; good better best; bad worse worst; die dying died dies; lie lying lied;
tie tying tied
`;

/** Spellings, clippings and chat abbreviations that mean the same word, in the same form as the table above. */
const VARIANTS = `
behavior behaviour; center centre; color colour; cozy cosy; favorite favourite fave fav; flavor flavour; gray grey;
harbor harbour; honor honour; humor humour; jewelry jewellery; labor labour; liter litre; meter metre; neighbor neighbour;
pajamas pyjamas; program programme; rumor rumour; theater theatre; tire tyre; mother mom mum mommy mama;
father dad daddy papa; grandmother grandma granny; grandfather grandpa granddad; sister sis; brother bro; girlfriend gf;
boyfriend bf; husband hubby; family fam; child kid kiddo; friend buddy pal; dog doggy doggie pup puppy; cat kitty;
travel travelling travelled traveller; cancel cancelling cancelled; bicycle bike biking; photograph photo pic photography;
video vid; movie film; television tv telly; telephone phone; refrigerator fridge; business biz; doctor doc; veterinarian vet;
university uni; conversation convo; information info; vegetable veggie; gymnasium gym; laboratory lab; examination exam;
advertisement ad advert; application app; birthday bday; celebrity celeb; tournament tourney
`;

/** Abbreviations of exactly this form: "thus" is no inflection of "thu". */
const ABBREVIATIONS = `
christmas xmas; tomorrow tmrw; please pls plz; thank thx; because cuz cos; about bout; okay ok; february feb; april apr;
july jul; august aug; september sept sep; october oct; november nov; december dec; monday mon; tuesday tue tues;
thursday thu thurs; friday fri; 2 two; 3 three; 4 four; 5 five; 6 six; 7 seven; 8 eight; 9 nine; 10 ten; 11 eleven; 12 twelve
`;

/** Nouns and adjectives that Porter keeps apart from the word they are made of, in the same form. */
const FAMILIES = `
advise advice; allergy allergic; argue argument arguments; art artist artists artistic; believe belief beliefs;
choose choice choices; climb climber climbers; cloud cloudy; compete competition competitions competitor competitors;
dance dancer dancers; dead death deaths; decide decision decisions; describe description descriptions; destroy destruction;
explain explanation explanations; fly flight flights; grow growth; hate hatred; health healthy healthier healthiest;
hike hiker hikers; introduce introduction; lose loss losses; marry marriage; mess messy; music musician musicians;
noise noisy; paint painter painters; rain rainy; salt salty; sell sale sales; sing singer singers song songs; sleep asleep;
snow snowy; solve solution solutions; speak speech speeches; spice spicy; succeed success successful; sun sunny;
swim swimmer swimmers; taste tasty; teach teacher teachers; warm warmth; wealth wealthy; weigh weight; write writer writers
`;

/** Form to lemma, of words that are written so and not otherwise; the lemma is still to be stemmed. */
export const IRREGULAR_FORMS: ReadonlyMap<string, string> = new Map([TABLE, FAMILIES, ABBREVIATIONS].flatMap(entries));

/** Variant to lemma, of words that inflect by rule ("colours"); both are still to be stemmed. */
export const VARIANT_WORDS: ReadonlyMap<string, string> = new Map(entries(VARIANTS));

function entries(table: string): [string, string][] {
  return table
    .trim()
    .split(/;\s+/)
    .flatMap((line) => {
      const [lemma = "", ...forms] = line.split(" ");
      return forms.map((form): [string, string] => [form, lemma]);
    });
}
