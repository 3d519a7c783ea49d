import type { SlotWords } from "#core/language/pack";

export const GERMAN_SLOTS: SlotWords = {
  home: "\\b(?:wohne|wohnen|lebe|leben) (?:ich |wir )?(?:jetzt |inzwischen )?(?:nicht mehr|nimmer) (?:in|bei|am|im|auf)\\b|\\b(?:bin|sind|wieder) (?:[\\p{L}]{1,20} ){0,3}(?:nach|zu|in die|ins|bei) [\\p{L}äöüß -]{2,30}(?:um|ein|zurück|zusammen)?gezogen\\b|\\b(?:ausgezogen|umgezogen) (?:nach|in)\\b|\\b(?:wohne?|wohnen|lebe?|leben) (?:ich |wir )?(?:jetzt |nun |inzwischen |doch ){0,2}(?:jetzt|wieder) (?:in|bei)\\b",
  work: "(?:^|\\b(?:hab|habe|ich) )(?:(?:ich|heute?|gestern|jetzt|auch|endlich|wirklich|ja) ){0,3}gekündigt\\b|\\b(?:bei|beim) [\\p{L}-]{1,20} gekündigt\\b|\\b(?:gefeuert|entlassen) (?:worden|wurde)|\\bwurde (?:[\\p{L}]{1,20} )?(?:gekündigt|gefeuert|entlassen)\\b|\\b(?:neuer job|neuen job|neue stelle|neue arbeit|job gewechselt)\\b|\\barbeite (?:jetzt |inzwischen )?(?:nicht mehr|nimmer)\\b|\\bfange? [^.!?]{0,60}(?<!\\p{L})(?:bei|beim|als) [\\p{L} ]{2,30} an\\b",
  diet: "\\b(?:nicht mehr|nimmer|kein(?:e)?) (?:vegan|vegetarisch|vegetarier(?:in)?|veganer(?:in)?)(?: mehr)?\\b|\\b(?:jetzt|inzwischen|seit [\\p{L}]{1,20}) (?:vegan|vegetarisch|vegetarier(?:in)?|veganer(?:in)?)\\b|\\b(?:esse?|ess) (?:ich )?(?:jetzt )?wieder (?:fleisch|fisch)\\b|\\bwieder (?:vegan|vegetarisch|vegetarier(?:in)?|veganer(?:in)?)\\b",
  partner:
    "\\b(?:haben uns|hab mich|habe mich|wir sind|sind) (?:[\\p{L}]{1,20} )?(?:getrennt|scheiden lassen|geschieden)\\b|\\bwieder zusammen$|\\b(?:schluss gemacht|wieder single|bin single|jetzt single)\\b|\\b(?:haben geheiratet|hab geheiratet|haben uns verlobt|bin verlobt|bin verheiratet)\\b",
  called: "\\bnenn(?:t|e)? mich \\p{L}",
  language:
    "\\b(?:antworte|antworten|schreib|schreibe|sprich|rede)\\b[^.!?]{0,60}(?<!\\p{L})auf (?:deutsch|englisch|französisch|spanisch|italienisch|chinesisch|türkisch|polnisch)\\b|\\bauf (?:deutsch|englisch|französisch|spanisch|italienisch) (?:antworten|schreiben|bitte)\\b",
  emoji: "\\b(?:emojis?|smileys?)\\b",
  length:
    "\\b(?:kurz|kürzer|knapp|ausführlich|ausführlicher|länger|kurze|kürzere|lange|längere|ausführliche)\\b[^.!?]{0,60}(?<!\\p{L})(?:antwort\\p{L}{0,12})\\b|\\bantwort\\p{L}{0,12}\\b[^.!?]{0,60}(?<!\\p{L})(?:kurz|kürzer|knapp|ausführlich|ausführlicher|länger)\\b",
  bullets: "\\bstichpunkte?n?\\b|\\baufzählung(?:en)?\\b",
  address: "\\b(?:duz|duze|duzen|siez|sieze|siezen)\\b|\\bper (?:du|sie)\\b",
  unreal:
    "\\b(?:fast|beinahe|geträumt|überlege|überlegt|überlegen|dachte|gedacht|träume|will|wollte|möchte|könnte|sollte|würde|wäre|hätte|nie|niemals|zu besuch|übers wochenende)\\b|^dass\\b",
  returned: "\\bwieder\\b|\\bzurück (?:in|bei|beim|nach|zu|auf|am|im)\\b",
  corrected: "\\bich mein(?:e|te)\\b|\\bkorrektur\\b",
  several: "\\b(?:zwei|drei|beide|mehrere|2|3) (?:jobs|stellen|wohnungen|wohnorte|arbeitgeber)\\b",
  conditional: "\\b(?:wenn|falls|sobald|solange)\\b",
};
