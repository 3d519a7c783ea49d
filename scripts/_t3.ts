import { statesKindOf } from "../src/domain/forgetting/kinds.ts";
import { keysIn } from "../src/domain/extraction/rules/keys-in.ts";
import { readForgetRequests } from "../src/core/language/forget-requests.ts";
import { sensitivityOf, namesAmount } from "../src/core/safety/sensitivity.ts";
import { tellingWords } from "../src/domain/forgetting/words-of.ts";
const t: [string,string][] = [["Lösch bitte meine Adresse.","Ich wohne in der Birkenweg 9 in Graz."],["Supprime mon adresse de ta mémoire.","J'habite au 12 rue des Lilas à Lyon."],["Forget about my debt with the tax office, please.","I owe the tax office 6,200 pounds."],["Remove my date of birth from what you know about me.","I was born on 3 August 1966."],["please unlearn that I'm gay","I'm gay and I'm not out to my family."],["Ich möchte, dass du vergisst, dass ich Lithium nehme.","Ich nehme seit Jahren Lithium."],["No guardes lo que dije de mi jefe.","Mi jefe bebe en el trabajo."],["please forget my pills","and I take sertraline"]];
for (const [r,s] of t) { const q = readForgetRequests(r); console.log(r, JSON.stringify(q)); for (const w of q.flatMap(({parts}) => parts.flat())) console.log("   ", w, tellingWords(s).has(w), statesKindOf(w, s, keysIn), keysIn(s), sensitivityOf(s), namesAmount(s)); }
