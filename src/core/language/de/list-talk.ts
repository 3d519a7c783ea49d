import type { ListTalk } from "#core/language/list-talk";

export const GERMAN_LIST_TALK: ListTalk = {
  empty:
    "der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines|n|ne|nen|ich|mir|mich|mein|meine|meinen|meinem|meiner|meins|du|dir|dich|dein|deine|wir|uns|unser|unsere|ihr|ihre|er|sie|es|sein|seine|seinen|man|jemand|ist|sind|war|waren|bin|bist|sein|wird|werden|hab|habe|hast|hat|haben|hatte|hatten|muss|musst|mussen|muß|müssen|soll|sollte|sollen|will|wollte|wollten|wollen|kann|kannst|konnte|darf|brauch|brauche|brauchen|zu|zum|zur|in|im|ins|an|am|auf|aus|bei|beim|mit|von|vom|vor|fur|fürs|furs|nach|uber|unter|um|bis|durch|gegen|ohne|und|oder|aber|so|dann|da|dass|ob|wenn|weil|als|wie|wo|was|wer|wen|wem|welche|welcher|welches|welchen|noch|schon|auch|nur|mal|doch|ja|nein|nicht|kein|keine|keinen|bitte|danke|jetzt|gerade|eigentlich|denn|hier|dort|dran|drauf|drin|rein|raus|her|hin|weg|also|nochmal|bisher|aktuell|momentan|sag|jo|ach|ok|okay|hallo|hi|gell|halt|eh|sinds|ists|gibts|gibt|hast du|ganz|alles|alle|allen|dieser|diese|dieses|diesem|diesen",
  generic:
    "liste|listen|sache|sachen|ding|dinge|zeug|punkt|punkte|stuck|eintrag|eintrage|leute|posten|nummer|platz|reihenfolge|rangliste|ranking|artikel|aufgabe|aufgaben",
  number: "\\d+|zwei|drei|vier|funf|sechs|ein paar",
  kinds:
    "liste|einkaufsliste|einkaufszettel|einkauf|einkaufen|einpacken|packliste|packen|packzettel|putzplan|todo|to-do|todos|aufgaben|ziele|vorsatze|gaste|gasteliste|einladen|geschenke|geschenkideen|wunsche|wunschliste|bucketlist|fragen|medikamente|tabletten|schuldet|schulden|bucher|filme|serien|lieder|songs|spiele|namen|rezepte|zutaten|besorgen|kaufen|erledigen|mitbringen|mitnehmen|plan|top|lieblings\\w*|reihenfolge|rangliste|sitzordnung|termine|brauche|brauchen|offen|menu|speiseplan|baustellen|vorbereiten|programm|checkliste|zettel|ideen|orte|leselisten?|playlist",
  listNamed:
    "(?:meine[rn]?|der|die|unsere[rn]?) (?:\\w+ ){0,3}\\w*(?:liste|zettel|rangliste|ranking)|wollte ich|hab ich (?:dir )?(?:gesagt|genannt|aufgeschrieben|notiert)",
  needs: "brauche|brauch|brauchen|kaufen|besorgen|einpacken|mitnehmen|mitbringen|holen|muss noch",
  themes: [
    "einkaufszettel|einkaufsliste|einkauf|einkaufen|kaufen|gekauft|kauf|besorgen|holen|hol|supermarkt|laden",
    "einpacken|packen|packliste|rucksack|koffer|gepackt|mitnehmen|tasche|pack",
    "todo|to-do|todos|erledigen|machen|tun|aufgabe|aufgaben|gemacht|baustellen",
    "putzplan|putzt|putzen|putze|macht|zustandig|aufgabe|dran",
    "schuldet|schulden|schuldest|geld|kohle|bezahlt|zahlen|zuruckgezahlt",
    "gaste|gasteliste|einladen|eingeladen|kommt|kommen|feier|geburtstag",
    "geschenke|geschenk|geschenkideen|wunsche|wunsch|schenke|schenken|bekommt|kriegt|weihnachten",
    "bucher|buch|lesen",
    "filme|film|serien|serie|schauen|gucken|sehen",
    "medikamente|tabletten|medikament|tablette|nimmt|nehmen",
    "fragen|frage",
    "ziele|ziel|vorsatze|vorsatz",
  ],
  and: "und|u|&|sowie",
  then: "und dann|dann|danach",
  add: "fug|fuge|fugst|schreib|schreibe|setz|setze|pack|tu|ergänze|erganze|nimm|brauche noch|brauch noch|brauchen noch|fehlt noch|fehlen noch|muss noch|dazu|kommt noch|kommen noch|noch dazu",
  addFirst: "und|ach und|und noch|auch noch|ausserdem|dazu noch|noch",
  addLast: "auch noch|auch|noch|dazu|noch dazu|noch drauf|drauf|hinzu|mit drauf|mit rauf|dazu bitte|noch rein",
  lead: "noch|auch|ein|eine|einen|den|die|das|bitte|mir|ach|und|ich|wir|brauche|brauchen|muss|zu|zur|liste|auf|hinzu|dazu",
  remark:
    "weil|denn|aber|wenn|falls|der|die|das|dass|damit|sonst|ich|wir|er|sie|es|hab|habe|hat|mein|bitte|danke|letztes|haha|auch noch",
  remove:
    "streich|streiche|streichen|gestrichen|weg|raus|entfern|entferne|losch|losche|loschen|fallt weg|fällt aus|fallt aus|nicht mehr|doch nicht|brauch ich nicht|brauche ich nicht|brauchen wir nicht|kann weg|abgesagt|sagt ab|kommt nicht|kann nicht|fliegt raus|vergiss|hab noch|haben noch|hab ich noch|habe ich noch|haben wir noch",
  done: "erledigt|fertig|gemacht|gekauft|besorgt|geholt|eingepackt|gepackt|bezahlt|gezahlt|abgehakt|hake ab|hak ab|schon im rucksack|im rucksack|im koffer|schon drin|drin|abgegeben|gebucht|angerufen|geschafft|gelesen|gesehen|geschaut|repariert|geputzt|bestellt|paypalt|überwiesen|uberwiesen|beglichen|abgeschickt|angekommen|geliefert|gefunden|bestanden|gelaufen|gestrichen|fixiert|ausgefullt|unterschrieben|verkauft|zuruckgezahlt|zuruckgegeben",
  not: "nicht|kein|keine|keinen|noch nicht|nie",
  future: "fast|wird|werde|muss|will|soll|morgen",
  back: "doch wieder|wieder drauf|wieder rein|doch noch",
  between: "zwischen",
  swap: "tausch|tausche|tauschen|getauscht|tauscht|vertausch|vertausche|vertauschen|wechseln|gewechselt",
  replaceBy: "durch|gegen|mit|zu|ist jetzt|sind jetzt|wird zu|in",
  becomes: "ist jetzt|sind jetzt|wird zu|heisst jetzt",
  change: "ersetz|ersetze|ersetzen|andere|ander|ändere|umbenennen|benenn|tausch|tausche|statt",
  insteadOf: "statt|anstatt|anstelle von|anstelle|nicht",
  instead: "stattdessen|dafur|lieber",
  toTop:
    "an erster stelle|nach oben|ganz oben|auf platz eins|auf platz 1|auf die eins|nach vorne|als erstes|an die spitze",
  toEnd: "ans ende|ganz unten|nach unten|als letztes|am ende|an letzter stelle",
  first: "zuerst|erste|vorne",
  last: "zuletzt|letzte|hinten",
  again: "zweite|zweiten|zweites|weitere|weiteren",
  before: "vor|oberhalb von",
  after: "nach|hinter|direkt nach",
  clear: "losch|losche|loschen|leer|leere|leeren|vergiss|verwirf|streich|streiche|weg mit",
  all: "liste|alles|den rest|komplett|die ganze|alle",
  may: "nur|ausser|bis auf|halb|teil|vielleicht|evtl|eventuell|verschieb|verschiebe|verschoben|rutscht|platz|anders|statt|gegeben|rest",
  howMany: "wie viele|wieviele|wie viel|wieviel|anzahl",
  howMuch: "wie viel|wieviel",
  what: "was|welche|welcher|welches|welchen|welchem",
  who: "wer|wem|wen|wessen",
  asksElse:
    "wie lange|wie oft|wie weit|wie gross|wie geht|wie kann|wie macht|warum|wieso|weshalb|wann|was heisst|was bedeutet|kannst du|konntest du",
  polar:
    "ist|sind|muss|musst|mussen|hab|habe|haben|hat|steht|stehen|fehlt|fehlen|kommt|kommen|brauch|brauche|brauchen|soll|sollte|will|schuldet|bin|war|gehort|darf|bleibt|macht",
  polarAnywhere: "oder nicht|ja oder nein|noch drauf",
  polarDone: "hab|habe|haben|hat",
  listing: "gesagt|aufgeschrieben|notiert|geschrieben|drauf|noch",
  show: "zeig|lies|nenn|nenne|sag|gib|liste|aufzahlen|wiederhol|komplette|ganze|aktuelle",
  left: "noch|ubrig|offen|fehlt|fehlen|verbleibend|verbleibende|uberhaupt noch|noch nicht|immer noch|nicht ganz",
  isDone: "erledigt|fertig|gemacht|gekauft|geschafft|abgehakt|schon|bezahlt|eingepackt",
  onList: "auf der liste|auf meiner liste|drauf|dabei|steht|stehen|drin",
  next: "nachste|nachster|nachstes|nachsten|als nachstes",
  verbs:
    "kaufen|kauf|kaufe|holen|brauchen|machen|mache|macht|tun|packen|bringen|bringt|mitbringen|nehmen|nimmt|kommt|kommen|steht|stehen|geben|sagen|fehlt|fehlen|erledigen|notiert|aufgeschrieben|gesagt|bekommt|kriegt|zustandig|bleibt|lautet|sieht",
};
