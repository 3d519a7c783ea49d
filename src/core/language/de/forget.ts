import type { ForgetWords } from "#core/language/forget-words";

const OFTEN =
  "(?:(?:bitte|mal|doch|restlos|schnell|einfach|kurz|gleich|wieder|auch|sofort|jetzt|endlich|noch|mir|komplett|ganz|lieber|vielleicht|alles bitte) ){0,4}";
const YOU = "(?:du|sie|ihr)";
const FORGET = "(?:vergiss|vergesst|vergessen sie|vergesse|verlern(?:e|en sie)?)";
const DELETE = "(?:lösche?|löscht|löschen sie|tilge?|tilgen sie|radier(?:e|en sie)?)";
const FORGETTING = "(?:vergessen|vergisst|vergesst|vergäßest|verlernen|verlernst)";
const DELETING = "(?:löschen|löschst|löscht|löschtest|tilgen|tilgst|rauslöschen|herauslöschen)";
const KEEPING =
  "(?:speicher[ne]|speicherst|speichert|abspeicher[ne]|abspeicherst|merken|merkst|merkt|behalten|behältst|behaltet|aufheben|aufhebst|aufbewahren|aufbewahrst|notieren|notierst|festhalten|festhältst|hinterlegen)";
const KEEP =
  "(?:speicher[en]?|speichern sie|merk(?:e|en sie)?|behalte?|behalten sie|notier(?:e|en sie)?|heb|hebe|heben sie|bewahr(?:e|en sie)?)";
const ASK = `(?:kannst|könntest|könnten|können|würdest|würden|könnt|magst|möchtest) ${YOU} |kannste |könnteste `;
const WISH = `ich (?:möchte|will|hätte gern|hätte gerne|wünsche mir|bitte dich|bitte sie|fände es gut|wünsche|brauche es)[, ]{1,2}(?:dass|wenn|darum, dass) ${YOU} |es wäre (?:schön|gut|nett|toll|lieb)[, ]{1,2}wenn ${YOU} |mir wäre (?:es )?lieber[, ]{1,2}(?:dass|wenn) ${YOU} `;

const MODAL = `(?:musst|brauchst|sollst|solltest|kannst|könntest|darfst|müssen|brauchen|sollen|können|könnten) ${YOU} (?:dir |sich )?`;
const NEVER = "(?:nicht|nie|niemals|nirgends|nirgendwo)(?: mehr| länger| weiter)? ";

const asked = (verbs: string, negated = "") => [
  `(?:${ASK}|)${OFTEN}${negated}${verbs}\\b(?<object>.*)`,
  `(?:(?:${ASK})|bitte )${OFTEN}(?<object>\\p{L}.{0,160}?) ${OFTEN}${negated}${verbs}\\b(?<more>.*)`,
  `(?:${WISH})${OFTEN}(?<object>.{0,160}?) ?${OFTEN}${negated}${verbs}\\b(?<more>.*)`,
  `ich (?:bitte|bitte dich|bitte sie)[, ]{1,2}(?<object>.{0,160}?) ?${negated}zu ${verbs}\\b(?<more>.*)`,
  `(?<object>(?:das|die|der|den|mein|alles|was|dass) ?.{0,160}?) (?:kannst|könntest|können|könnten|darfst|solltest) ${YOU} ${OFTEN}${negated}${verbs}\\b(?<more>.*)`,
  `(?<object>(?:das|die|der|den|mein|alles|was|dass) ?.{0,160}?) bitte ${OFTEN}${negated}${verbs}\\b(?<more>.*)`,
];

export const GERMAN_FORGET: ForgetWords = {
  lead: "oh|ach|äh|ähm|hm+|nee|nein|ok|okay|hey|hallo|hi|also|und|aber|sorry|so|ja|moment|ups|eigentlich|warte|danke|mal|doch|dann|jetzt|übrigens|noch was|liebe ki|guten (?:morgen|tag|abend)",
  polite: "bitte|gefälligst",
  forgets: [`${FORGET}\\b(?! (?:nicht|nie|bitte nicht|ja nicht|bloß nicht)\\b)(?<object>.*)`, ...asked(FORGETTING)],
  stores: [
    `(?:es ist |ist )?(?:nicht nötig|unnötig|kein grund)[, ]{1,2}(?:dir |sich )?(?<object>.{1,160}?) zu (?:merken|speichern|notieren|behalten)\\b(?<more>.*)`,
    `${MODAL}${OFTEN}${NEVER}${KEEPING}\\b(?<object>.*)`,
    ...asked(KEEPING, "(?:nicht|nie|niemals|nirgends|nirgendwo)(?: mehr| länger| weiter)? "),
    `${KEEP}\\b (?:dir |euch |sich )?${OFTEN}(?<object>.{1,160}?) ${OFTEN}(?:nicht|nie|niemals)(?: mehr| länger| ab| auf| fest)?\\b(?<more>.*)`,
    `${KEEP} (?:dir |euch |sich )?${OFTEN}(?:nicht|nie|niemals)(?: mehr| länger)?\\b(?<object>.*)`,
    `(?<object>(?:das|die|der|den|mein|unser|alles|was|dass|\\p{L}{1,30}) ?.{0,160}?) ${MODAL}${OFTEN}${NEVER}${KEEPING}\\b(?<more>.*)`,
    `(?<object>\\p{L}.{1,160}?) (?:soll|sollte|sollen|sollten|darf|dürfen|muss|müssen|braucht|brauchen) (?:bitte |wirklich )?(?:\\p{L}{1,20} ){0,4}${NEVER}(?:\\p{L}{1,20} ){0,3}(?:gespeichert|gemerkt|notiert|behalten|aufbewahrt|festgehalten|stehen|bleiben|auftauchen|drinstehen)\\b(?<more>.*)`,
    `(?:bitte )?(?:keine?|keinen) (?:notiz|notizen|aufzeichnung|aufzeichnungen|eintrag|erinnerung) (?:über|zu|von|an) (?<object>.*)`,
    `(?:mir wäre (?:es )?lieber|es wäre (?:mir )?lieber|besser)[, ]{1,2}(?:wenn )?${YOU} (?:dir |sich )?(?<object>.{1,160}?) ${NEVER}${KEEPING}\\b(?<more>.*)`,
    `ich (?:will|möchte) nicht[, ]{1,2}dass ${YOU} (?:dir |euch |sich )?(?<object>.{1,160}?) ${KEEPING}\\b(?<more>.*)`,
  ],
  deletes: [
    `${DELETE}\\b(?<object>.*)`,
    ...asked(DELETING),
    `(?<object>(?:das|die|der|den|mein|unser|alles|was) ?.{0,120}?) (?:muss|soll|sollte|sollen|müssen|kann|darf) ${OFTEN}(?:weg|raus|verschwinden|gelöscht werden|vergessen werden)\\b(?<more>.*)`,
    `(?<object>\\p{L}.{1,80}?) ${OFTEN}(?:raus|weg|heraus) (?:aus|damit aus) (?:deinem|deinen|deiner|ihrem|ihren) (?<more>.*)`,
    `(?:weg|raus) damit\\b(?<object>.*)`,
    `(?:löschst|entfernst|löschen|entfernen) ${YOU} (?=.{0,80}bitte)(?<object>.*)`,
    `(?:mach|mache|machen sie|tu|tun sie) (?<object>.{1,80}?) (?:wieder )?(?:weg|raus)\\b(?<more>.*)`,
    `ich (?:möchte|will|hätte gern|hätte gerne) (?<object>.{1,160}?) (?:aus|raus aus) (?:deinem|deinen|deiner|ihrem|ihren) (?:gedächtnis|notizen|speicher|kopf)\\b(?<more>.*)`,
  ],
  drops: [
    `ich (?:möchte|will|hätte gern|hätte gerne) (?<object>.{1,160}?) (?:gelöscht|entfernt) haben\\b(?<more>.*)`,
    `(?:entferne?|entfernen sie)\\b(?<object>.*)`,
    ...asked("(?:entfernen|entfernst|entfernt)"),
    `(?:nimm|nehmen sie|wirf|werfen sie|schmeiß|schmeiss) (?<object>.{1,120}?) (?:raus|weg|heraus)\\b(?<more>.*)`,
    `(?:streiche?|streichen sie|wirf|nimm|schmeiß|schmeiss|verwirf)\\b(?<object>.*)`,
    ...asked("(?:streichen|streichst|rausnehmen|rausschmeißen|verwerfen)"),
  ],
  said: "\\b(?:ich|wir)(?: \\p{L}{1,20}){0,10} (?:gesagt|erzählt|geschrieben|erwähnt|verraten|anvertraut|gebeichtet|genannt|mitgeteilt|geschickt|gegeben|geteilt|berichtet)\\b|\\b(?:gesagt|erzählt|geschrieben|erwähnt|verraten|anvertraut|genannt) (?:habe?|hatte|haben)\\b|\\b(?:du|sie) (?:\\p{L}{1,20} ){0,8}(?:weißt|wissen|gespeichert hast|gespeichert haben|gemerkt hast|hast|kennst|haben)\\b|\\b(?:dein|deinem|deinen|deiner|ihrem|ihren|ihrer) (?:gedächtnis|speicher|notizen|kopf|akten|daten|erinnerung\\p{L}{0,4}|aufzeichnungen|unterlagen|verlauf)\\b",
  regrets:
    "\\b(?:ich (?:hätte|habe|hab|bereue|nehme zurück)|(?:war|ist|wäre) (?:dumm|blöd|unklug|doof|leichtsinnig)(?: von mir)?|gehört (?:hier )?nicht (?:hier)?(?:her|hin)?|nehme zurück)\\b",
  thing:
    "(?:\\b(?:das|die sache|die geschichte|der teil|den teil|die stelle|der kommentar|den kommentar|dieses ding|die bemerkung) (?:mit|über|von|zu|wegen|zum|zur|vom)\\b)|\\b\\p{L}{2,24}(?:sache|geschichte|ding|kram|thema)\\b",
  not: "\\b(?:nicht|nie|niemals|nimmer|nochmal|noch einmal)\\b",
  worldly:
    "\\b(?:geheim|draußen|drinnen|warm|kalt|wach|falsch|(?:im|am|beim|unterm|in der|in dem|auf dem|auf der) \\p{L}{2,24})\\b",
  data: "(?:nummer|code|pin|passwort|adresse|name|namen|mail|geburts\\p{L}{3,6}|daten|ausweis|iban|gehalt)",
  instead: "\\b(?:stattdessen|anstatt|statt|mach (?:daraus|lieber)|ersetze?|tausche?)\\b",
  definite: "(?:die|das|den|der|diese[snr]?|wo|wer|wie|wann|was)\\b",
  about: "\\balles(?:, was)? (?:über|zu|von|was mit|rund um|was [^.]{0,40}betrifft)\\b",
  last: "(?:meine?n? |die |den |das )(?:letzte[ns]?|vorige[ns]?) (?:nachricht|satz|aussage|mitteilung)\\b|(?:das|alles)?,? ?was ich (?:dir |ihnen |euch )?(?:gerade|eben|soeben|zuletzt)(?: eben)? (?:gesagt|geschrieben|erzählt|geschickt)\\b|das letzte,? was ich (?:dir |ihnen )?(?:gesagt|geschrieben|erzählt)\\b",
  own: "(?:(?:das|die sache|die geschichte|den teil|alles|(?:die |den |das |alle )?(?:info\\p{L}{0,24}|angaben?|details?|tatsache)) ?(?:mit|über|von|wegen|zu) )?(?:alle )?(?:mein|unser)\\p{L}{0,2}\\b|(?:dass|wo|wie|wer|wann|was|welche\\p{L}?) (?:ich|wir|mein|meine|unser|unsere)\\b|\\p{L}{1,24}s (?:\\p{L}{1,24})",
  bare: "dass \\p{L}{1,24} \\p{L}",
  pieces:
    "\\b(?:abs[aä]tz\\p{L}{0,24}|s[aä]tz\\p{L}{0,2}|zeilen?|w[oö]rt\\p{L}{0,3}|überschrift\\p{L}{0,24}|einleitung|schluss|spalten?|zellen?|tabellen?|kapitel|folien?|seiten?|stroph\\p{L}{0,24}|emojis?|kommas?|punkte?|fußnote\\p{L}{0,24}|schritte?|einträge?|eintrag|zutaten?|rezepte?|\\p{L}{0,24}listen?|dateien?|datei|ordner|branch\\p{L}{0,24}|funktion\\p{L}{0,24}|variable\\p{L}{0,24}|klassen?|tests?|pakete?|bilder|bild|fotos?|videos?|hintergrund|logo|app|apps|konto|account|cookies|cache|browser|entw[uü]rfe?|version\\p{L}{0,24}|aufsatz|briefe?|gedichte?|geschichte (?=aus)|szenen?|e-?mails?|mails?|posts?|lebenslauf|rechnung|tagesordnung|protokoll|menü|speiseplan|warenkorb|kalender|termine?|erinnerung an|wecker|buchung\\p{L}{0,24}|bestellung\\p{L}{0,24}|aufgaben?|flecken?|duplikate|kontakte?|filter|datenbank|index|kommentare?|downloads?)\\b",
  places: "aus|von|im|in|auf|vom",
  goesOn:
    "(?:was|dass|wo|wie|wer|wen|wem|warum|wann|alles|das|welche\\p{L}?|über|also|und (?:mein\\p{L}{0,2}|die|das|den|was|dass|alles))\\b",
  reasons:
    "(?:weil|denn|da|damit|ich (?:will nicht|möchte nicht|hätte (?:das |es )?nicht|sollte nicht|schäme|bereue)|(?:er|sie) (?:hat mich gebeten|will (?:das )?nicht|möchte (?:das )?nicht|wollte (?:das )?nicht|soll(?:te)? (?:das )?nicht|wäre|würde)|du (?:brauchst|musst|sollst)|kein|für immer|wenn (?:du|möglich|das|es geht)|mein\\p{L}{0,2} \\p{L}{1,24} (?:benutzt|nutzt|liest|sieht|schaut|kann|könnte|darf))\\b",
  keeps: [
    "(?:aber |und |nur ){0,4}(?:behalte?|lass|lasse)\\b(?<kept>.*)",
    "(?:aber |und ){0,4}(?<kept>(?:die|der|das|den|mein\\p{L}{0,2}|alles) .{0,80}?)(?:\\b(?:kann|können|darf|dürfen|kannst du|darfst du)\\b.*(?:bleiben|behalten|drinbleiben)|\\b(?:ist|sind) (?:ok|okay|in ordnung|egal)\\b).*",
    "(?:aber |nur ){0,4}(?:nicht|außer|bis auf)\\b(?<kept>.*)",
  ],
  joins: "und|oder|sowie",
  together: "(?:dass|wenn|ob|darum) ?(?:du|sie|ihr|dass)|zu",
  runsOn: "das geht|das ist|es ist|das war|es war",
  breaks: "weil|bevor|ehe|denn|aber|damit|da",
  points: "(?:der|die|das|mein|meine) (?:neue|richtige)|(?:es|das|die|der|dies|er|sie) (?:ist|sind|wird)|ist|sind",
  medicine: "medikament medikamente tabletten pille pillen",
  health:
    "op operation test tests blutdruck blutdruckwerte werte befunde symptome gesundheit gesundheitlich gesundheitliche gesundheitlichen medizinisch medizinische diagnose krankheit krankheiten erkrankung behandlung therapie befund allergie allergien",
  belief:
    "religion religiös religiöse glaube glauben kirche politik politisch politische partei gewählt wahl orientierung sexualität",
  money:
    "gehalt lohn verdienst preis kosten erbe miete einkommen geschenk geld finanzen finanziell finanzielle finanziellen schulden",
  alike: [
    "gehalt lohn einkommen verdienst verdiene verdient",
    "hochzeit heiraten heiratet heirate verheiratet geheiratet verlobt",
    "geburtstag geburtsdatum geboren geburt",
    "schwangerschaft schwanger erwarte erwartet erwarten",
    "schulden schulde schuldet",
    "scheidung geschieden scheiden getrennt trennung",
    "alkohol trinkt trinken alkoholiker",
    "name heißt heiße heißen",
    "tod gestorben tot",
    "arbeit arbeite arbeitet job beruf",
    "gekündigt kündigung entlassen gefeuert",
    "gefängnis haft knast",
    "wahl gewählt wähle wählen stimme gestimmt",
  ],
  vague:
    "früh zu kommentar kommentare bemerkung ja stelle teil hin her ähm restlos schnell nehme zurück gehört geht keinen was an bei trauen herr herrn frau aus dein deine deinem deinen deiner ihrem ihren das die der den dem des dies es mit über von wegen zu sache sachen geschichte kram zeug ding dinge thema nachricht nachrichten chat gespräch unterhaltung alles ganze ganzen komplett bitte mal doch wieder raus weg heraus ich dir ihnen mir mich uns hab habe haben hast hat gesagt erzählt geschrieben erwähnt verraten anvertraut genannt mitgeteilt geschickt gegeben was dass ist war sind waren peinlich peinlicher löschen lösch lösche gelöscht vergiss vergessen streich streichen merken speichern gespeichert behalten gedächtnis notizen speicher erinnerung erinnerungen daten unterlagen aufzeichnungen verlauf kopf nicht mehr nie niemals dran denken will wollte möchte möchten soll sollte bleiben darf kann könnte würde wissen weißt weiß davon darüber gerade eben vorhin früher gestern heute letzte letzten zuletzt vorher mein meine meinen meiner meinem unser unsere privat private vertraulich geheim geheimnis vertrauen falsch fehler stimmt wahr witz ernst lieber einfach sofort jetzt auch noch schon immer komplett vollständig endgültig ganz danke sorry ok okay gut egal niemand keiner jemand andere anderen anderer leute sonst wirklich hätte wäre sagen erzählen gebeten angeht betrifft bezüglich rund um information informationen angaben details detail problem probleme situation ki assistent du sie er wir ihr man so und oder aber als also dann da hier dort unangenehm bereue schäme",
};
