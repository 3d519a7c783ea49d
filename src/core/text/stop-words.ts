import { analyse } from "./analyse.ts";

/** Function words of questions and statements, as people write them. German, French and Spanish ones only where English has no such word. */
const WORDS = `
a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
she her hers herself it its itself they them their theirs themselves what which who whom whose when where why how
be am is are was were been being do does did done doing have has had having will would shall should can could may might must ought
and or but if then else so because as until while of at by for with about against between into through during before after
above below to from up down in out on off over under again further once here there all any both each few more most other some such
no nor not only own same than too very just also ever yet still one ones anyone someone something anything everyone everything
let get got really please tell know yes ok okay
ich du er wir ihr und oder aber nicht ist sind ein eine einen einem einer der das dem des für auf von zu im wie wer wann wo welche welcher welches habe haben mein meine dein deine
je tu il nous vous ils le les un une des du et ou est sont dans avec sur que qui quand quel quelle
yo él ella nosotros el los las una y o es en con por qué quién cuándo dónde cuál mi su tu de del
的 了 在 是 我 你 您 他 她 它 我们 你们 他们 她们 和 与 或 吗 呢 吧 啊 什么 么时 时候 什么时候 何时 谁 哪 哪里 哪个 怎么 怎样 为什么 为什 多少 这 那 这个 那个 有 没有 不 也 都 就 很 我在 我的 你的
は が を に へ の で と も や か よ ね です ます ました した して いる ある する こと これ それ あれ 何 誰 いつ どこ どう どの なぜ ま し た て い てい さん わたし 私
ที่ และ หรือ ของ ใน คือ เป็น มี ได้ ไม่ ให้ กับ จะ ว่า อะไร ใคร เมื่อ เมื่อไหร่ เมื่อไร ไหร่ ไร ไหน ที่ไหน ทำไม อย่างไร ฉัน ผม คุณ เขา เธอ ครับ ค่ะ ไหม นี้ นั้น ก็ แล้ว
في من على الى إلى عن مع هل ما ماذا متى أين كيف لماذا هو هي أنا أنت نحن هم هذا هذه ذلك التي الذي كان كانت و أو لا لم
и в на не что кто где когда как почему я ты он она мы вы они это с у к о по из за от мой твой
`;

/**
 * Analysed tokens that carry no weight in a question; they stay in the index, as a question may hold nothing else. Analysed line by
 * line, so that German words in one line do not change the stems of another.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split("\n").flatMap(analyse));

const WEAK = `
kind type sort way thing time many much take give make go come try use like say talk mention happen describe share want think
feel plan start new name long recent decide
`;

/** Tokens that frame a question more often than they answer it: light verbs and words for "which of several". */
export const WEAK_WORDS: ReadonlySet<string> = new Set(analyse(WEAK));
