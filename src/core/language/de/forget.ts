import type { ForgetWords } from "#core/language/forget-words";

const B = "(?<!\\p{L})";
const B_END = "(?!\\p{L})";
const POLITE = "(?:bitte|mal|doch|einfach|kurz|gleich|wieder|eben|halt|ruhig|sofort|jetzt|auch|schnell|mir|das|es|dir)";
const ITSELF =
  "aber|und|nur|das|es|dies|dieses|die|den|alles|bitte|mal|doch|wieder|wieder raus|komplett|ganz|sofort|jetzt|raus|weg|davon|danke|gleich|einfach|alles davon|nachricht";
const GONE =
  "(?:gelöscht|löschen|weg|raus|vergessen|entfernt|entfernen|getilgt|tilgen|gestrichen|streichen|verschwinden|verschwunden|verwerfen|rauslöschen|wegmachen|rausnehmen|wegwerfen)";
const KEEPING =
  "(?:speichern|speicherst|speichere|gespeichert|merken|merkst|merke|gemerkt|behalten|behältst|behalte|aufheben|aufgehoben|aufbewahren|notieren|notierst|notiert|festhalten|festhältst|abspeichern|abgespeichert|stehen|steht|auftauchen|auftaucht|drin|drinsteht|hinterlegt|dokumentiert|wissen|weißt)";
const SAYING =
  "(?:gesagt|erzählt|geschrieben|erwähnt|verraten|anvertraut|gebeichtet|getippt|geschickt|gegeben|genannt|mitgeteilt|ausgeplaudert|rausgehauen|geredet|gequatscht|erklärt)";

export const GERMAN_FORGET: ForgetWords = {
  lead: [
    {
      often: `(?:oh|ach|äh|ähm|hm+|nee|nein|ok|okay|hey|hallo|hi|also|und|aber|sorry|so|ja|moment|ups|eigentlich|du|warte|danke|${POLITE})[\\s,.!…]+`,
    },
    {
      often: `(?:(?:kannst|könntest|könnten|können|würdest|magst|darfst|sollst|solltest) (?:du|sie)? ?|kannste |könnteste |ich (?:möchte|will|hätte gern|wünsche mir|fänds gut|fände es gut|bitte dich)[, ]+(?:dass|wenn) du |${POLITE} )`,
    },
  ],
  surely: `(?:vergiss|vergesst|vergessen sie|lösch|lösche|lösch's|löschs|löschen sie|verlern|tilg|tilge)${B_END}(?: (?:raus|weg))?(?<object>.*)`,
  plainly:
    "(?:vergiss|vergesst|vergessen sie|lösch|lösche|löschen sie) (?:bitte |doch |einfach )*(?<object>(?:mein|unser|dass|wo|wie|was|wer|wann|alles)[a-z]{0,3}\\b.+)",
  perhaps: `(?:streich|streiche|entfern|entferne|entfernen sie|wirf|schmeiß|schmeiss|nimm|mach|tu|hau|radier|radiere|verwirf|raus mit|weg mit|lass|kipp|verbanne)${B_END}(?<object>.*?)(?:${B}(?:raus|weg|aus|fort|unter den tisch|verschwinden|rückgängig|draußen|heraus|wieder)${B_END}.*|$)`,
  behind: [
    {
      source: `${B}(?:bitte |mal |doch |wieder |ganz |komplett |einfach |sofort |schnell |das |es ){0,3}(?:vergiss|lösch(?:e|en)?|streich(?:e|en)?|entfern(?:e|en)?|tilg(?:e|en)?)${B_END}`,
      unless: "(?:nicht|nie|niemals) vergessen",
    },
  ],
  wishes: [
    `\\b(?:möchte|will|wollte|soll|sollte|muss|kann|könntest|kannst|würdest|bitte|lieber|mag|hätte|wäre|wär|gehört|dass)${B_END}(?<object>.{0,80}?)${B}(?=[eglrtvw])${GONE}${B_END}`,
    {
      source: `(?:${B}(?:nicht|nie|niemals|nirgends|nirgendwo|kein|keine|keinen|ohne|nichts)${B_END})(?<object>.{0,60}?)${B}(?=[abdfghmnsw])${KEEPING}${B_END}`,
      unless: `${B}(?:ich|wir|er|man)${B_END}(?!.{0,80}?${B}(?:du|dass|dein\\p{L}*|sie)${B_END})`,
    },
    `\\b(?:speicher|speichere|merk|merke|behalt|behalte|notier|notiere|heb|bewahr)${B_END}(?<object>.{0,60}?)${B}(?:nicht|nix|nichts|bloß nicht)${B_END}`,
    `\\b(?:tu|tue|mach|stell dir vor|stell dich)${B_END}.{0,20}?(?:so )?(?:als|wie wenn)(?<object>.{0,40}?)${B}(?:nie|nicht|nichts)${B_END}`,
    `\\bdu (?:weißt|weisst) (?:das |davon |von )?(?:nichts|nicht|nie)${B_END}`,
  ],
  harmless: [
    "\\b(?:nicht|nie|niemals|nichts|bloß nicht|ja nicht) (?:zu )?verg[ei]ss\\p{L}*",
    "\\bverg[ei]ss\\p{L}* (?:das |es |ihn |sie )?(?:bitte |ja |bloß |nur ){0,3}(?:nicht|nie|niemals)\\b",
    "\\b(?:ich|er|sie|wir|man|hab|habe|hat|haben)(?: \\p{L}+){0,4} vergess(?:e|en)\\b",
    "\\bvergiss (?:es|das)\\b[\\s,.!-]{0,6}(?=$|,|\\.|!|lass uns|wir|egal|machen wir|reden wir)",
    "\\bwie (?:kann|lösche|entferne|kriege|bekomme|mache)\\b.*",
  ].join("|"),
  material:
    "\\b(?:absatz|absätze|satz|sätze|zeile|zeilen|komma|kommas|überschrift|flecken?|hintergrund|spalte|wort|wörter|emojis?)\\b|\\b(?:von|aus|auf) (?:der|meiner|unserer) (?:\\p{L}+ ){0,2}\\p{L}*liste\\b|\\b(?:ich|wir) (?:muss|müssen|will|wollen|möchte|werde|sollte)(?! (?:nicht|dass|das))\\b.{0,80}?(?:rausschmeißen|wegwerfen|streichen)",
  ofEarlier: `\\b(?:ich|wir)(?: \\p{L}+){0,10} ${SAYING}\\b|\\b${SAYING} (?:hab|habe|haben|hatte)\\b|\\b(?:das|die|der|den) (?:\\p{L}+ )?(?:mit|über|von|wegen)\\b|\\b(?:die|der|das|den|diese) (?:\\p{L}+ ){0,2}(?:sache|geschichte|kram|zeug|ding|angelegenheit|thema|nachricht)\\b|\\p{L}(?:sache|geschichte|kram|zeug)\\b|\\b(?:dein|deinem|deinen|deiner) (?:gedächtnis|speicher|notizen|kopf|akten|daten|erinnerung\\p{L}*|hirn)\\b|\\b(?:war|ist) (?:falsch|quatsch|privat|gelogen|peinlich|ein fehler|ein witz|nicht richtig)\\b`,
  refers: `\\b(?:ich|wir)(?: \\p{L}{1,20}){0,10} ${SAYING}\\b|\\b${SAYING} (?:hab|habe|haben|hatte)\\b|\\bdas (?:mit|über|von|wegen) (?:de[mnr]|meine[mnr]?|unsere[mnr]?)\\b|\\b(?:dein|deinem|deinen|deiner) (?:gedächtnis|speicher|notizen|kopf|akten|daten|erinnerung\\p{L}{0,8}|hirn)\\b`,
  yet: "aber|doch|nur|und",
  kept: [
    `\\b(?<!nicht )(?:behalt|behalte|lass|lasse|behalten)${B_END}(?!.{0,80}?${B}(?:raus|weg|verschwinden|draußen)${B_END})(?<object>.*)`,
    {
      source: `${B}(?:darf|kann|können|dürfen|soll|sollen|darfst du|kannst du) (?:ruhig |gern |gerne |aber |da |drin|drin ){0,4}(?:bleiben|drinbleiben|stehen bleiben|stehenbleiben|behalten|drin lassen|stehen lassen|wissen)${B_END}`,
    },
    { source: `${B}(?:ist|sind|wär|wäre) (?:ok|okay|in ordnung|egal|kein problem|gut|fein|harmlos|richtig)${B_END}` },
    `\\b(?:aber|nur|bloß) nicht (?<object>(?:den|die|das|der|meine?n?|unsere?n?) .*)`,
    `\\b(?:außer|bis auf|abgesehen von|mit ausnahme)${B_END}(?<object>.*)`,
    `\\b(?:brauch|brauche) (?:ich|ich noch)${B_END}(?<object>.*)|\\b(?:den|die|das) (?:\\p{L}+ )?(?:brauch|brauche) ich${B_END}`,
  ],
  rest: "\\b(?:der|den|das) (?:ganze )?(?:rest|andere|übrige)\\b|\\balles (?:andere|übrige)\\b|\\bnur das\\b",
  whole: "\\b(?:alles|ganze|komplett|sache|geschichte|kram|zeug|thema|nachricht|was|das mit|die sache mit)\\b|^\\W*das\\b",
  all: "\\b(?:alles|jede\\p{L}*|sämtliche\\p{L}*)\\b.{0,30}\\b(?:über|von|zu|mit|was)\\b",
  asks: "(?:kannst|könntest|würdest|magst|können|könnten|darf|darfst|kannste)\\b",
  itself: ITSELF,
  joints: "und|aber|weil|denn|dann|oder|sondern",
  adds: "und|oder",
  vague:
    "das die der den dem des mit über von wegen sache geschichte kram zeug ding thema nachricht alles ganze komplett bitte mal doch wieder raus weg ich dir hab habe gesagt erzählt geschrieben erwähnt was mir mich ist war peinlich löschen lösch vergiss streich merken speichern behalten nicht mehr dran denken will bleiben darf kann",
};
