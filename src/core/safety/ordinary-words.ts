import { fold } from "#core/text/normalize";

const WORDS = `
a an the this that these those it its he she they we you i me my your his her our their mine yours hers ours theirs there here where what when why how who which
as at by for from in into like of off on onto out over than then to under until up upon with without about after again also and any because before behind below between both but down during each either else
no not never nothing none nowhere now nor only or so some somehow something someone somewhere still soon such too very really quite pretty super rather just even ever almost already always maybe perhaps probably
everything everywhere anything anywhere whatever whichever
same different similar identical wrong right correct incorrect valid invalid bad good better best great terrible awful horrible stupid silly dumb weak strong stronger long longer short shorter old older new newer easy easier hard harder simple simpler
complex unique random safe safer unsafe secure insecure secret private public blank empty null none nil undefined true false yes okay fine ready dead gone lost found broken known unknown stolen taken sent written hidden shown stuck kept set reset
due overdue mandatory sensitive case plain plaintext text clear below above attached inside next last first second current default standard temporary permanent common shared missing important enough elsewhere impossible necessary needed
string str text number varchar char boolean bool integer int any void optional required enabled disabled on off bytes object function hash hashed salt plain
bitwarden lastpass keepass keepassxc dashlane keychain vault chrome firefox apple google icloud okta
ask check see use try enter type change forgot forget forgotten reset click tap press choose create confirm
password passwords username login email pin code key token
falsch richtig korrekt inkorrekt ungultig gultig sicher unsicher schwach stark lang kurz alt neu gleich gleiche dasselbe derselbe anders leer weg geheim notig erforderlich unbekannt bekannt zu nicht kein keine noch immer auf in im dort hier was wie wo der die das ein eine abgelaufen vergessen verloren verschickt geandert gespeichert gesperrt
incorrect incorrecte faux fausse bon bonne mauvais mauvaise trop pas le la les un une dans sur sous chez ici toujours jamais requis obligatoire oublie expire valide invalide faible fort long court nouveau ancien meme different vide perdu
incorrecta incorrecto correcta correcto equivocada equivocado debil fuerte segura seguro larga corta nueva vieja misma diferente obligatoria requerida vacia no muy en el los las una siempre igual paciencia perdida
sbagliata sbagliato errata errato corretta corretto scaduta scaduto debole forte sicura lunga corta nuova vecchia stessa diversa vuota obbligatoria richiesta non molto nel nella sempre troppo
errada errado correta correto fraca forte longa curta nova velha mesma vazia obrigatoria expirada nao muito sempre
неверный неправильный верный правильный слабый сильный длинный короткий новый старый тот такой другой пустой не нет обязателен обязательно просрочен истек где что как какой здесь там очень всегда забыт изменен
`;

const ORDINARY: ReadonlySet<string> = new Set(WORDS.split(/\s+/).map(fold));
const PARTICIPLE = /(?:ed|ing|ly|able|ible|ive|ful|less|ous|ary|iert|ada|ado|ata|ato|ован\p{L}{0,8}|ена?)$/iu;
const MIN_STEM = 6;

/** Whether a word describes a password ("required", "wrong", "expired") rather than being one: by a list, and by endings of participles. */
export function isOrdinaryWord(word: string): boolean {
  const plain = fold(word).replace(/(?<![!?.,;:])[!?.,;:]+$/, "");
  return ORDINARY.has(plain) || (plain.length >= MIN_STEM && PARTICIPLE.test(plain) && /^\p{L}+$/u.test(plain));
}
