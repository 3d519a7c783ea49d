import { readForgetRequests } from "../src/core/language/forget-requests.ts";
import { readSentences } from "../src/core/language/clause-reader.ts";
import { tokensOf } from "../src/core/language/tokens.ts";
import { chooseWords } from "../src/domain/forgetting/choose-words.ts";
import { keysIn } from "../src/domain/extraction/rules/keys-in.ts";
const [q] = readForgetRequests("please forget my door code");
const t = "The flat is at 9 Mill Row, and my door code is 4821.";
console.log(q, readSentences(t).map(({clauses}) => clauses.map(c => [c.text, tokensOf(c.text).map(x=>x.name).join(" ")])));
console.log(q && JSON.stringify(chooseWords(q, [{ text: t, isList: false, isPrevious: true }], keysIn)));
