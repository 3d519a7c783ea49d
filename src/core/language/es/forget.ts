import type { ForgetWords } from "#core/language/forget-words";

const B = "(?<!\\p{L})";
const B_END = "(?!\\p{L})";
const POLITE =
  "(?:por favor|porfa|porfi|please|ya|mejor|anda|venga|mira|oye|pues|eh|ay|vale|bueno|perdón|gracias|también|y|pero|no|uy|uf|a ver)";
const IT = "(?:l[aoe]s?|mel[ao]s?|sel[ao]s?)";
const KEEPING =
  "(?:guard(?:es|ar|ado|ada|en)|almacen(?:es|ar|ado|ada)|record(?:ar|ado)|recuerdes|anot(?:es|ar|ado|ada)|apunt(?:es|ar|ado|ada)|registr(?:es|ar|ado|ada)|conserv(?:es|ar)|conste|consten|quede|queden|quedar|aparezca|aparezcan|salga|salgan|tengas|sepas|memorices|figure)";
const SAYING =
  "(?:dije|dicho|conté|contado|confesé|confesado|escribí|escrito|mencioné|mencionado|solté|expliqué|explicado|puse|mandé|di|comenté|comentado|hablé)";

export const SPANISH_FORGET: ForgetWords = {
  lead: [
    { often: `${POLITE}[\\s,.!…]+` },
    {
      once: "(?:puedes|podrías|podrias|puede|podría|te importa|te importaría|quiero que|necesito que|quisiera que|me gustaría que|te pido que|hay que|haz el favor de|hazme el favor de) ",
    },
    { often: `${POLITE} ` },
  ],
  surely: `(?:olvid(?:a|ar|es|e|ate|alo|ala|arlo|arla)(?:te|lo|la|los|las)?|desaprende|desmemoriza)${B_END}(?: de)?(?<object>.*)`,
  plainly:
    "(?:olvida|olvide|olvídate de|borra|borre|elimina) (?:por favor )?(?<object>(?:mis?|nuestr[oa]s?|que|dónde|cómo|cuánto|lo|todo)\\b.+)",
  perhaps: `(?:b[oó]rr(?:a|ar|es|e)|elimin(?:a|ar|es|e)|quit(?:a|ar|es|e)|suprim(?:e|ir|as)|sac(?:a|ar)|saques|tir(?:a|ar|es)|descart(?:a|ar|es)|tach(?:a|ar|es)|retir(?:a|ar|es)|limpi(?:a|ar|es)|deshazte|haz desaparecer)(?:${IT})?${B_END}(?: de)?(?<object>.*)`,
  behind: [
    {
      source: `(?<=.)${B}(?:b[oó]rr|elim[ií]n|qu[ií]t|ol[vb][ií]d|s[aá]c|supr[ií]m|desc[aá]rt|t[aá]ch)\\p{L}{1,4}(?:${IT})${B_END}`,
    },
    { source: `(?<=.)${B}(?:por favor |porfa |mejor |ya ){0,3}(?:borra|bórralo|elimina|quita|olvida)${B_END}` },
  ],
  wishes: [
    `\\b(?:no|ni|nunca|sin|nadie|tampoco|mejor no)${B_END}(?<object>.{0,60}?)${B}(?=[acfgmqrst])${KEEPING}${B_END}(?! (?:claro|pendiente)\\b)`,
    `\\b(?:haz|hagamos|actúa|finge|imagina) (?:como|que)(?<object>.{0,40}?)${B}(?:no|nunca|nada)${B_END}`,
    `\\b(?:quiero|prefiero|quisiera|necesito|me gustaría) que (?:\\p{L}+ ){0,3}?(?:desaparezca|se borre|borres|elimines|olvides|quites)${B_END}(?<object>.*)`,
  ],
  harmless: [
    "\\bno (?:te |se |me |os |le )?(?:vayas a |lo |la )?olvid\\p{L}*",
    "\\b(?:nunca|jamás|siempre) (?:\\p{L}+ ){0,2}olvid\\p{L}*",
    "\\b(?:que no|para que no) (?:se )?(?:me|te) olvid\\p{L}*",
    "\\b(?:se me|me|se le) (?:ha |había )?olvid\\p{L}*",
    "\\bolv[ií]dalo\\b[\\s,.!-]{0,6}(?=$|,|\\.|!|vamos|mejor|hablemos)",
    "\\bcómo (?:puedo )?(?:borro|elimino|quito|borrar|eliminar|quitar)\\b.*",
  ].join("|"),
  material:
    "\\b(?:párrafos?|frases?|líneas?|comas?|títulos?|manchas?|fondo|columnas?|palabras?|emojis?)\\b|\\b(?:de|en) (?:la|mi|nuestra) lista\\b",
  ofEarlier: `\\b${SAYING}\\b|\\b(?:lo|la|los|las) de(?:l)?\\b|\\b(?:eso|aquello|ese tema|esa historia|el tema|el asunto|la cosa|el rollo)\\b|\\btu (?:memoria|cabeza|registro|historial|base)\\b|\\b(?:fue|era|es|estaba) (?:mentira|broma|un error|falso|mal|privado|un secreto)\\b`,
  refers: `\\b${SAYING}\\b|\\blo del?\\b|\\btu (?:memoria|cabeza|registro|historial|base)\\b`,
  yet: "pero|y",
  kept: [
    { source: `${B}(?:d[eé]ja|gu[aá]rda|cons[eé]rva|mant[eé]n)(?:${IT})${B_END}` },
    `\\b(?<!no )(?:deja|guarda|conserva|mantén|quédate con|dejar)${B_END}(?<object>.*)`,
    { source: `${B}(?:puede|pueden|puedes) (?:quedar(?:se|te)?|seguir|dejar\\p{L}*|guardar\\p{L}*)${B_END}` },
    { source: `${B}(?:está|están|esta|estan|es) (?:bien|ok|correcto|correctos)${B_END}` },
    `\\bpero no (?<object>(?:el|la|los|las|lo|mi|mis) .*)`,
    `\\b(?:menos|salvo|excepto)${B_END}(?<object>.*)`,
  ],
  rest: "\\b(?:el resto|lo demás|todo lo demás|los demás|las demás|lo otro|sólo eso|solo eso)\\b",
  whole: "\\b(?:todo|toda|tema|asunto|historia|cosa|cosas|rollo|eso|aquello|lo de|lo que)\\b",
  all: "\\btod[oa]s?\\b.{0,30}\\b(?:sobre|de|con|acerca)\\b",
  asks: "(?:puedes|podrías|podrias|te importa|te importaría|puede)\\b",
  itself: "pero|y|lo|la|los|las|eso|esto|todo|ya|por favor|porfa|de ahí|de aquí|gracias|completamente|del todo|entero",
  joints: "y|pero|porque|pues|así que|aunque|sino",
  adds: "y|e|o|ni",
  vague:
    "lo la el los las de del eso esto todo toda tema asunto historia cosa cosas rollo dije conté confesé escribí mencioné que te me se día otro porfa favor gracias quede sitio ningún lado borra bórralo quita elimina olvida vergüenza quiero datos",
};
