import type { AskedWords } from "#core/language/pack";

export const GERMAN_ASKED: AskedWords = {
  name: "name heiße heisse heißen heißt nennen genannt wer",
  home: "wohne wohnen wohnst lebe leben zuhause hause wohnung haus stadt ort adresse nähe gegend umgebung land umgezogen wohnort",
  job: "beruf arbeit arbeite arbeiten job firma arbeitgeber chef stelle beruflich",
  age: "alt alter geburtstag geboren jahre",
  origin: "komme herkunft geboren heimat nationalität",
  diet: "essen esse ernährung vegetarisch vegan allergisch allergie kochen rezept restaurant abendessen",
  partner: "partner partnerin frau mann ehefrau ehemann freund freundin verheiratet beziehung zusammen",
  children: "kind kinder sohn tochter",
  pet: "haustier tier hund katze",
  vehicle: "auto fahre fahren wagen fahrrad",
  phone: "handy telefon smartphone gerät nummer telefonnummer handynummer",
  email: "email mail mailadresse",
  income: "einkommen gehalt lohn verdiene verdienst verdienen",
  school: "schule universität uni studium studiere studieren",
  language: "sprache sprachen spreche sprechen",
  goal: "ziel ziele plan vorhaben",
};
