import type { SensitiveWords } from "#core/language/pack";

export const GERMAN_SENSITIVITY: SensitiveWords = {
  sensitive: `
    zöliakie angst* depressiv* krebs psychisch* adhs behindert* rollstuhl* operiert migräne* krank kranke krankheit* krankgeschrieben schlaganfall infarkt
    herzinfarkt herzfehler* demenz rheuma* tuberkul* bluthochdruck schilddrüs* essstörung* magersucht übergewicht* selbstmord* panikattacke*
    medikament* pille tabletten cortison* betablocker* elvanse medikinet kodein*
    schwanger* fehlgeburt* totgeburt abtreib* abgetrieben empfängnis* verhütung* antibabypille unfruchtbar* kinderwunsch* wechseljahre* wochenbett*
    alkoholi* alkoholsucht anonyme-alkoholiker nüchtern rückfall entzug* süchtig* spielsucht* drogensucht* suchtberatung suchtklinik trinkt-zu-viel
    betrunken
    kokain* haschisch drogen* kiffe kiffen gekifft kiffer
    privatinsolvenz gehalt* lohn schulde schulden schuldet verschuldet pleite gepfändet kredit verdiene verdient einkommen bürgergeld
    bewährung* gefängnis* knast haft vorbestraft vorstrafe* verurteil* verhaftet straftat* strafverfahren fußfessel
    schlägt-mich schlug-mich mich-schlägt geschlagen misshandel* missbrauch* vergewaltig* gewalt gewalttät* bedroht bedrohung häusliche
    asyl* visum abschieb* abgeschoben aufenthaltserlaubnis aufenthaltstitel flüchtling* geflüchtet* duldung einbürger*
    religiö* katholi* evangelisch* christ christin moslem* jüdisch* jude jüdin kirche moschee bete gläubig* an-gott bibel zeugen-jehovas konfession*
    kopftuch
    lesbisch lesbe lesben bisexuell* transfrau transmann schwul* kondom* geoutet auf-männer auf-frauen männer-lieber frauen-lieber mag-männer mag-frauen
    liebe-männer liebe-frauen
    kommunis* fascho* wähle wählte wähler politisch* afd cdu csu spd fdp linksradikal* rechtsradikal* parteimitglied sozialist*
    gewerkschaft* betriebsrat* ig-metall streik streike streiken`,
  personal: `
    scheid* geschied* getrennt witwe* gekündigt kündigen arbeitslos neuen-job neue-stelle vorstellungsgespräch`,
  doctors: "arzt|ärztin|krankenhaus|frauenarzt",
  visits: "termin|anrufen|besuchen",
  numbers: "tausend|hundert|million(?:en|es|s)?",
  currencies: "euro|franken",
  earning: "bekomm[et]|kriege|kriegt|verdien[et]",
  untaxed: "brutto|netto",
  periods: "(?:im|pro) (?:jahr|monat|stunde)",
};
