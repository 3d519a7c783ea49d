import type { WordClasses } from "#core/language/pack";

export const FRENCH_WORDS: WordClasses = {
  me: "je j j'ai j'suis jai jsuis moi me m'a mon ma mes mien",
  us: "nous notre nos on",
  you: "tu toi te ton ta tes vous votre vos t'es",
  third: "il elle ils elles lui leur leurs son sa ses",
  kin: "femme epouse mari epoux compagne compagnon copine copain meuf mec fiance fiancee mere maman pere papa daron daronne soeur sœur frere frangin frangine fille fils gamin gamine gosse gosses bebe jumeaux cousin cousine tante tonton oncle niece neveu grand-mere mamie mamy meme grand-pere papi papy belle-mere beau-pere belle-soeur beau-frere patron patronne chef cheffe collegue collegues voisin voisine coloc proprio prof medecin dentiste psy ami amie amis pote potes enfants parents famille ex petit-fils petite-fille",
  pet: "chien chienne chat chatte chaton lapin cheval perroquet poules chevre vache vaches chiot",
  not: "pas ne n plus jamais sans rien aucun aucune ni personne non",
  change:
    "depuis maintenant enfin nouveau nouvelle nouvel change demenage quitte commence arrete passe achete vendu separe signe jusqu desormais dorenavant devenu",
  time: "lundi mardi mercredi jeudi vendredi samedi dimanche lundis mardis mercredis jeudis vendredis samedis dimanches janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre demain hier aujourd'hui semaine semaines mois an ans annee jour jours matin soir nuit week-end weekend ete hiver printemps automne prochain prochaine dernier derniere anniversaire anniv heure heures vacances",
  always: "toujours chaque tous toutes seulement uniquement d'habitude generalement stp svp",
  ask: "que quoi quel quelle quels quelles comment pourquoi quand ou qui combien est-ce peux pourrais c'est-quoi faut",
  order:
    "ecris ecrivez traduis traduisez fais donne dis explique resume corrige reformule cree invente liste montre cherche aide calcule convertis imagine raconte redige",
  text: "poeme histoire chanson paroles lettre mail mel texte redaction phrase dialogue scene citation article discours blague devinette recette code erreur modele personnage roman message",
  if: "si supposons imaginons hypothetiquement peut-etre serait aurait",
  say: "dit disait disent selon parait raconte pense croit ecrit",
  like: "aime adore deteste prefere kiffe aimes prefere favori favorite horreur allergique supporte",
  health:
    "allergie allergies asthme diabete diabetique coeliaque enceinte epilepsie tdah autiste dyslexique angoisse depression cancer operation opere operee kine medicaments comprimes insuline hopital diagnostic migraine migraines arthrose vegan vegane vegetarien vegetarienne halal gluten lactose intolerant intolerante genou hanche douleur avc sourd sourde aveugle chimio therapie",
  work: "travail travaille boulot taf bosse poste equipe bureau boite magasin ecole lycee fac college formation examen bac infirmiere chauffeur client clients contrat entreprise projet entretien salaire loyer retraite stage alternance asso club",
  home: "habite habites vis vit maison appart appartement chambre ville village rue demenagement quartier",
  have: "ai as a avons avez ont avait",
  be: "suis es est sommes sont etait c'est",
  thanks: "merci ok mdr ptdr salut coucou bonjour bonsoir oui ouais nickel super parfait desole bravo",
};
