import type { AskedWords } from "#core/language/pack";

export const FRENCH_ASKED: AskedWords = {
  name: "nom prénom appelle appelles appeler qui",
  home: "habite habiter habites vis vivre maison appartement ville adresse près quartier coin pays domicile déménagé",
  job: "travail travaille travailler métier profession emploi boulot entreprise patron",
  age: "âge ans anniversaire né née",
  origin: "origine nationalité viens né née",
  diet: "manger mange régime végétarien végétarienne végan allergique allergie cuisiner recette restaurant dîner repas",
  partner: "partenaire femme mari épouse époux copine copain conjoint marié mariée couple",
  children: "enfant enfants fils fille",
  pet: "animal chien chat",
  vehicle: "voiture conduis véhicule vélo",
  phone: "téléphone portable mobile numéro",
  email: "courriel email mail",
  income: "revenu salaire paie gagne",
  school: "école université fac études étudie",
  language: "langue langues parle",
  goal: "objectif objectifs but projet",
};
