import { readForgetRequests, alikeTo } from "../src/core/language/forget-requests.ts";
import { tellingWords } from "../src/domain/forgetting/words-of.ts";
import { tokensOf } from "../src/core/language/tokens.ts";
import { chooseWords } from "../src/domain/forgetting/choose-words.ts";
import { keysIn } from "../src/domain/extraction/rules/keys-in.ts";
const [q] = readForgetRequests("Por favor olvida mis deudas.");
const t = "Debo 14.000 euros al banco.";
console.log(q, tellingWords(t), alikeTo("deuda"), tokensOf(t)[0]);
console.log(q && JSON.stringify(chooseWords(q, [{ text: t, isList: false, isPrevious: true }], keysIn)));
