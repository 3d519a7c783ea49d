import { cardinal, EDGE, LETTERS, LINK, type ListWords, ordinal } from "#core/language/list-words";
import { frenchPlural } from "./nouns.ts";

const ORDINALS = [
  "premi(?:er|ere)(?:ment)?",
  "(?:deuxieme|seconde?)(?:ment)?",
  ..."troisi quatri cinqui sixi septi huiti neuvi dixi".split(" ").map((stem) => `${stem}eme(?:ment)?`),
];
const FIGURES = "\\d{1,2}(?:ers?|eres?|res?|n?des?|nd|e|emes?|iemes?)";
const ORDINAL = ordinal(ORDINALS, FIGURES);
const CARDINALS = "une? deux trois quatre cinq six sept huit neuf dix onze douze".split(" ");
const CARDINAL = cardinal(CARDINALS);
const TOP = `(?:top[ -]?${CARDINAL})`;
const NUMBER = "(?:#|numero |n[°º] ?)";
const WORD_FR = `(?!(?:et|ou|que|ne|sont|est|etaient|etait|pour|si)(?![${LETTERS}]))(?:[ld]')?[${LETTERS}][${LETTERS}-]{0,40}`;
const NOUN_FR = `(?<noun>${WORD_FR}(?: ${WORD_FR}){0,3}?)`;
const FAV_FR = "(?:preferee?s?|favori(?:te)?s?)";
const COUNT = `(?:(?<count>${TOP}|${CARDINAL}) )?`;
const ORDER_FR = "(?:dans l'ordre(?: de preference)?|dans cet ordre|par ordre(?: de preference)?|classee?s)";
const QUAL_FR = `(?: ?[,(]? ?(?:de tous les temps|en ce moment|actuellement|${ORDER_FR})\\)?,?){0,2}`;
const VERB_FR = `(?: (?:sont|est)|,? c'est)(?![${LETTERS}])(?! pas)(?:,? (?:maintenant|actuellement|les suivante?s|${ORDER_FR})){0,2}[ ,:]{0,20}\\n{0,2}`;

const RANK_FR = `(?<rank>${ORDINAL}|derni(?:er|ere))`;
const NUMBERED = `(?<rank>${NUMBER}${CARDINAL})`;
const WHAT_FR =
  "(?:quel(?:le)? (?:est|etait)(?: deja)? |c'(?:est|etait) quoi(?: deja)? |dis-moi (?:quel(?:le)? est )?|donne-moi |rappelle-moi (?:quel(?:le)? est )?)";
const LIST_VERB =
  "(?:(?:quel(?:le)?s (?:sont|etaient)|c'(?:est|etait) quoi|liste|liste-moi|montre-moi|montre|donne-moi|dis-moi|cite|cite-moi|rappelle-moi|(?:je veux|je voudrais|j'aimerais) voir) (?:deja )?(?:(?:la |une )?liste (?:complete )?de )?(?:tou(?:te)?s )?|(?:la )?liste de (?:tou(?:te)?s )?)";

export const FRENCH_LISTS: ListWords = {
  ordinals: ORDINALS,
  figures: FIGURES,
  cardinals: CARDINALS,
  numbers: NUMBER,
  intros: [
    { form: "list", source: `${EDGE}m(?:es|on|a) ${COUNT}${NOUN_FR} ${FAV_FR}${QUAL_FR}(?:${VERB_FR}|${LINK})` },
    {
      form: "list",
      knownOnly: true,
      source: `${EDGE}mon (?<count>${TOP}) (?:des? |d')?(?<noun>${WORD_FR}(?: ${WORD_FR}){0,2})${QUAL_FR}(?:${VERB_FR}|${LINK})`,
    },
    { form: "single", source: `${EDGE}m(?:on|a) (?<rank>${ORDINAL}) ${NOUN_FR} ${FAV_FR}(?:${VERB_FR}| ?: )` },
    {
      form: "single",
      source: `${EDGE}m(?:on|a) ${NOUN_FR} ${FAV_FR} (?<rank>${NUMBER}${CARDINAL})(?:${VERB_FR}| ?: )`,
    },
    {
      form: "backward",
      source: ` (?:est|sont) (?:maintenant )?m(?:on|a) (?<rank>${ORDINAL}) ${NOUN_FR} ${FAV_FR}`,
    },
    { form: "backward", source: ` (?:est|sont) (?:maintenant )?m(?:on|a) ${NOUN_FR} ${FAV_FR}` },
  ],
  questions: [
    { ask: "rank", source: `${WHAT_FR}m(?:on|a) ${RANK_FR} ${NOUN_FR} ${FAV_FR}` },
    { ask: "rank", source: `${WHAT_FR}m(?:on|a) ${NOUN_FR} ${FAV_FR} ${NUMBERED}` },
    {
      ask: "rank",
      bare: true,
      source: `m(?:on|a) ${RANK_FR} ${NOUN_FR} ${FAV_FR}(?:,? (?:c'(?:est|etait) (?:quoi|laquelle|lequel)))?`,
    },
    { ask: "rank", knownOnly: true, source: `quel(?:le)? (?<noun>${WORD_FR}) (?:est|etait) mon ${NUMBERED}` },
    { ask: "list", source: `${LIST_VERB}mes (?:(?:${TOP}|${CARDINAL}) )?${NOUN_FR} ${FAV_FR}` },
    { ask: "list", source: `quel(?:le)?s ${NOUN_FR} (?:sont|etaient) mes ${FAV_FR}` },
    { ask: "list", bare: true, source: `mes (?:(?:${TOP}|${CARDINAL}) )?${NOUN_FR} ${FAV_FR}` },
  ],
  followUps: [
    { ask: "rank", source: `(?:et|c'(?:est|etait) quoi|quel(?:le)? (?:est|etait)) (?:le|la) ${RANK_FR}` },
    { ask: "rank", bare: true, source: `(?:le|la) ${RANK_FR}` },
    { ask: "list", source: "(?:liste)-les(?:-moi)?|montre-les-moi" },
  ],
  cue: "\\bm(?:on|a|es) ",
  questionCue: "prefere|favori|\\bmon ",
  followUpCue: "\\b(?:le|la|les)\\b|les$|\\bnumero\\b",
  favourite: "preferee?s?(?!\\p{L})",
  mentions: "pr[eé]f[eé]r",
  mine: "pr[eé]f[eé]r|\\b(?:mes|mon|ma)\\b",
  order: ORDER_FR,
  here: "voici ",
  is: "est|c'est",
  and: "et",
  rankWords: "numero |n[°º] ?|place ",
  beforeOrdinal: "la |le |en ",
  afterOrdinal: " place",
  clauseStart: "je|tu|il|elle|on|mon",
  or: "ou",
  next: "puis|ensuite|suivie?s? (?:de|du|des|par)|enfin|apres",
  comes: "vient|le|la",
  firstly: "d'abord|en premier",
  inOrder: "dans cet ordre",
  otherwise: "mais|et (?:je|mon|ma|mes|toi)",
  placed: { before: "(?:est )?(?:en )?", last: "en dernier", after: " place" },
  aside: "parce|mais|tandis|car|quand|et m(?:on|a|es)|et toi",
  insteadOf: "au lieu de|plutot que",
  noise: "et|puis|mdr|ptdr|et (?:c'est tout|voilà)",
  leading: "est|sont|c'est",
  noValue: "rien|aucune?",
  notAValue: "^pas |preferee?s?\\b|favori",
  clauseWords: "et|je pense que|que",
  joins: "et",
  remarks: "salut|bon|oui|eh bien",
  article: "(?:le|les|des|du|del) |l'",
  courtesy: "salut|bonjour|merci",
  greetings: "salut|bonjour|dis|et|alors|svp|stp|s'il te plait",
  asking:
    "tu te (?:souviens|rappelles)(?: de)?|te souviens-tu de|(?:peux-tu|tu peux|pourrais-tu)(?: (?:me )?(?:dire|rappeler|donner|lister|montrer|citer|enumerer))?|tu sais|rappelle-moi",
  trailing: "deja|svp|stp|s'il te plait|merci|dans l'ordre|maintenant",
  please: "stp|svp",
  requests: "(?:ecris|explique|imagine)",
  last: "derni",
  of: "de",
  headFirst: true,
  plural: frenchPlural,
  topics: {
    favorite_colors: "couleur, couleurs, coloris",
    favorite_cryptos: "cryptomonnaie, cryptomonnaies, crypto-monnaie, crypto-monnaies, monnaie crypto, monnaies cryptos",
    favorite_tv:
      "série, séries, série tv, séries tv, série télé, séries télé, série télévisée, séries télévisées, émission, émissions, émission de télé, émissions de télé, émission télé, émissions télé",
    favorite_candies: "friandise, friandises, sucrerie, sucreries, confiserie, confiseries",
  },
  askedFor: "(?<!\\p{L})(?:est-ce que|sont|quelles sont|liste|donne-moi) ?$",
  others:
    "(?<![\\p{L}'])(?:liste|reponse|message) d(?:e |')(?!mes)[^.!?]*$|(?<![\\p{L}'])m(?:on|a) (?:ami|amie|frere|soeur|mere|pere) ?: ?$",
  takenBack: "je (?:plaisante|rigole)",
  saidAfter: "a dit",
};
