import type { SensitiveWords } from "#core/language/pack";

export const FRENCH_SENSITIVITY: SensitiveWords = {
  sensitive: `
    angoisse dépress* tumeur* thérap* séropositi* insuline asthme épilep* fauteuil-roulant opéré* chirurgie malad* arrêt-maladie infarctus avc sclérose
    thyroïd* boulimi* scarif*
    médicament* comprimé* cachets antidépress*
    enceinte grossesse fausse-couche avort* pilule fertilité fiv ménopaus*
    accro alcooli* rechute désintox* sevrage
    cocaïn* héroïne drogue* beuh
    salaire* dette* endett* surendett* prêt faillite smic hypothèque gagne
    garde-à-vue casier-judiciaire condamn* détenu* libération-conditionnelle sursis délinqu*
    me-frappe m'a-frappé m'a-frappée me-bat viol violée agress* harcel* harcèl* maltrait*
    asile réfugi* immigr* sans-papiers titre-de-séjour oqtf clandestin*
    catholique* chrétien* juif juive athée église mosquée prie croyant* coran à-la-messe baptê* témoin-de-jéhovah évangéli*
    lesbienne bisexuel* sexuel* sexe les-hommes les-femmes les-garçons les-filles gouine
    votons électeur politique* lfi rn macron* le-pen mélenchon extrême-droite extrême-gauche manif
    syndicat* syndiqu* syndical* cgt cfdt grève gréviste*`,
  personal: `
    veuf veuve licenci* chômage nouveau-travail nouvel-emploi`,
  doctors: "médecin|hôpital|gynécologue",
  visits: "rendez-vous|voir|appeler",
  numbers: "mille|cents?",
  currencies: "francs?",
  earning: "touche|gagne|reçois|perçois",
  periods: "par (?:an|mois|heure)",
};
