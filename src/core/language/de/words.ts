import type { WordClasses } from "#core/language/pack";

export const GERMAN_WORDS: WordClasses = {
  me: "ich mich mir mein meine meiner meinem meinen meins i ick",
  us: "wir uns unser unsere unserem unseren unserer mir",
  you: "du dich dir dein deine ihr euch euer ihnen",
  third: "er ihn ihm sie sein seine seinen seinem seiner ihre ihrem ihren ihrer",
  kin: "frau mann ehefrau ehemann partner partnerin freundin freund freunde verlobte verlobter mutter mama mutti vater papa vati schwester bruder geschwister sohn tochter kind kinder zwillinge cousin cousine onkel tante nichte neffe oma opa grossmutter grossvater schwiegermutter schwiegervater schwiegereltern enkel enkelin chef chefin kollege kollegin kollegen nachbar nachbarin mitbewohner mitbewohnerin vermieter vermieterin lehrer lehrerin arzt aerztin arztin zahnarzt therapeut therapeutin eltern familie schwager schwagerin kumpel ex kleine kleiner grosse",
  pet: "hund huendin hundin katze kater kaninchen hamster pferd pony papagei huhner huehner ziege ziegen kuh kuehe welpe",
  not: "nicht nich ned net kein keine keinen keinem keiner nie niemals nix nichts ohne weder",
  change:
    "mehr jetzt seit ab endlich neu neue neuer neuen umgezogen gewechselt gekuendigt gekundigt angefangen aufgehort aufgehoert bestanden gekauft verkauft getrennt statt stattdessen bis inzwischen mittlerweile geworden",
  time: "montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags januar februar marz maerz april mai juni juli august september oktober november dezember morgen heute gestern abend abends woche wochen monat monate monaten jahr jahre jahren tag tage tagen nachts uhr wochenende sommer winter fruhling fruehling herbst naechste nachste naechsten nachsten letzte letzten geburtstag ferien",
  always: "immer jeden jede jedes jedes mal meistens normalerweise nur bitte grundsatzlich grundsaetzlich stets taglich taeglich",
  ask: "was wie warum wieso wann wo wer welche welcher welches kannst koenntest konntest soll sollte wieviel woher wohin gibt",
  order:
    "schreib schreibe uebersetze ubersetze ubersetz uebersetz mach mache gib sag erklaer erklar erklaere fass korrigier korrigiere formulier formuliere erstell erstelle zeig hilf stell spiel erzahl erzaehl rechne berechne such",
  text: "gedicht geschichte lied brief mail aufsatz satz dialog szene zitat artikel rede witz ratsel raetsel rezept code fehler vorlage figur roman spruch text",
  if: "wenn falls angenommen wuerde wurde haette hatte waere vielleicht ob",
  say: "sagt sagte meint meinte schrieb laut angeblich erzahlt erzaehlt behauptet gehoert",
  like: "mag liebe lieb hasse gern gerne lieber liebsten lieblings bevorzuge steh stehe ungern vertrage vertragt vertraegt",
  health:
    "allergisch allergie asthma diabetes zoeliakie zoliakie schwanger epilepsie adhs autismus depression krebs op operation reha physio tabletten medikamente insulin krankenhaus diagnose migraene migrane rheuma rollstuhl vegan vegetarisch vegetarier halal glutenfrei laktose laktoseintolerant knie hufte huefte schmerzen schlaganfall demenz taub blind trocken therapie",
  work: "arbeit arbeite arbeitet job schicht spatschicht spaetschicht fruhschicht fruehschicht buro buero firma team laden schule uni studium studiere ausbildung azubi pruefung prufung klausur kunde kunden projekt vertrag gehalt miete rente rentner praktikum stelle verein kita",
  home: "wohne wohnt wohnen wohnung haus zimmer stadt dorf strasse lebe lebt ziehe ziehen umzug daheim zuhause",
  have: "hab habe haben hat hatten besitze krieg kriege bekomme bekommt",
  be: "bin ist sind war waren sei gewesen",
  thanks: "danke dank ok okay haha lol hallo hi servus moin tschuess tschuss ja nein super passt gut perfekt sorry",
};
