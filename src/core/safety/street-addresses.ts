import { anyCase } from "#core/text/any-case";
import { GAP, type Occurrence, occurrences } from "./labelled.ts";

/** Words are separated by spaces only, so that a text can be split in one way; the parts of a hyphenated name by either. */
const CAPITALISED = "\\p{Lu}[\\p{L}\\p{M}'.-]{0,30}";
const PART = "\\p{Lu}[\\p{L}\\p{M}'.]{0,30}";
const HOUSE = "(?<number>\\d{1,5}(?:\\s?[a-zA-Z](?!\\p{L}))?(?:[/-]\\d{1,4}[a-zA-Z]?)?)";
/** A number that counts something, continues, or is a time is no house number. */
const NOT_COUNTED =
  "(?![\\p{L}\\d]|[.,:]\\d|\\s?(?:[%€$£°]|(?i:minut\\p{L}*|min|mins|hours?|stunden?|std|h|km|m|meters?|metres?|metern?|miles?|jahre?n?|years?|days?|weeks?|months?|tage?n?|wochen?|ans|années|años|anni|anos|euros?|uhr|mal|times|people|personen|blocks?|steps?|lat|roku|лет|минут\\p{L}*|км|dk|saat)(?!\\p{L})))";

const ENGLISH_TYPE =
  "(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Boulevard|Blvd|Way|Place|Pl|Terrace|Terr|Close|Crescent|Cres|Gardens|Grove|Mews|Row|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Trail|Square|Sq|Walk|Hill|Rise|View|Quay|Wharf|Marg|Nagar|Alley|Esplanade|Parade|Chase|Green|Loop|Gate)";
const MONTH =
  "(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?![a-z])";
const ENGLISH = `(?<!(?:\\b[Ii]n|[Ss]ince|[Bb]y|[Uu]ntil|[Ff]rom|[Oo]f|[Tt]op|Chapter|Season|Episode|Level|Route|[$€£#])\\s?)(?<![\\p{L}\\d.:/-]|\\d,)${HOUSE},?\\s(?!${MONTH}\\s)(?:(?:[NSEW]|NE|NW|SE|SW)\\.?\\s)?(?<street>(?:${CAPITALISED}|\\d{1,3}(?:st|nd|rd|th))(?:\\s(?:${CAPITALISED}|of|the)){0,3}?)\\s${ENGLISH_TYPE}(?![\\p{L}\\d'])(?!\\s(?:Fighter|Fair|Food|Art|Photography|View|Children|Band|Boys|Journal|Wear|Trip|Festival|Show|Team))`;
const ENGLISH_LOWER = `(?<=(?i:\\b(?:live[sd]?|living|stay(?:s|ing)?|address|moved|moving|reside[sd]?|deliver(?:y|ed)?|ship|mail|send|house|home|flat|apartment|apt|office)\\b[^.!?\\n\\d]{0,24}?\\s))(?<number>\\d{1,5}[a-z]?)\\s(?!(?:min|hour|mile|km|block|day|week|month|year|people|of|more|other|different|kid|cat|dog)\\p{L}*\\s)(?<street>(?:[\\p{L}'.]{2,16}\\s){1,3}?)(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|court|ct|boulevard|blvd|way|close|crescent|terrace|place|gardens|grove|mews)(?![\\p{L}\\d'-])`;
const INDIAN =
  "(?i:flat|house|plot|door|h\\.|quarter|shop|villa)\\s?(?i:no\\.?|number|#)?\\s?(?<number>[A-Za-z]?-?\\d+[A-Za-z]?(?:[/-]\\d+[A-Za-z]?)*),?\\s(?<street>[^\\n!?;\\d]{3,60}?\\d{0,3}(?:st|nd|rd|th)?[^\\n!?;\\d]{0,30}?)\\b(?:Road|Nagar|Marg|Colony|Street|Layout|Sector|Apartments?|Society|Enclave|Vihar|Puram|Cross|Phase|Block|Gali|Chowk|Towers?|Heights|Residency)(?!\\p{L})";
const POST_BOX =
  "(?:P\\.?\\s?O\\.?\\s?Box|Postfach|Apartado(?:\\s(?:de\\sCorreos|Postal))?|Caixa\\sPostal|Postbus|Casella\\sPostale|Boîte\\sPostale|а/я)\\s(?<number>\\d[\\d ]{0,8}\\d|\\d)(?<street>)";

const NOT_STREETS =
  "(?!(?:Sitz|Steh|Stell|Park|Arbeits|Camping|Start|Fenster|Tabellen|Studien|Ausbildungs|Speicher|Spiel|Sport|Kita|Kindergarten|Lieblings)platz|Bahnsteig|(?:Um|Heim|Schul|Arbeits|Fu(?:ß|ss)|Hin|Rück|Geh|Rad|Aus)weg|Brigade|Auntie|Autobahn|Einbahn|Datenautobahn)";
const GERMANIC_SUFFIX =
  "(?:stra(?:ß|ss)e|str\\.|gasse|allee|platz|weg|damm|ufer|chaussee|steig|stieg|pfad|markt|straat|laan|plein|gracht|singel|dijk|steeg|gatan|vägen|gränd|torget|stigen|vej|veien|vegen|gade|gata|katu|ntie|polku)";
const GERMANIC = `(?<![\\p{L}/])${NOT_STREETS}(?<street>(?:${PART}[\\s-]){0,3}(?:\\p{Lu}\\p{L}{1,30}?${GERMANIC_SUFFIX}|${PART}[\\s-](?:Stra(?:ß|ss)e|Str\\.|Gasse|Allee|Platz|Weg|Damm|Ufer|Chaussee|Ring|straat|laan|plein|gata|vei|vej|allé|plads|utca|út|tér|körút)))(?:\\s|(?<=\\.))(?:[Nn]r\\.?\\s?)?${HOUSE}${NOT_COUNTED}`;
const GERMANIC_LOWER = `(?<![\\p{L}/])(?<street>\\p{Ll}{3,20}(?:stra(?:ß|ss)e|str\\.|straat|gatan|vägen))(?:\\s|(?<=\\.))${HOUSE}${NOT_COUNTED}`;
const GERMAN_LEAD = `(?<=(?i:wohn\\p{L}*|adresse|umgezogen|zieh\\p{L}*|gezogen)(?!\\p{L})[^.!?\\d\\n]{0,30}?\\s)(?:[Aa]m|[Aa]n der|[Aa]n den|[Ii]m|[Ii]n der|[Ii]n den|[Zz]um|[Zz]ur|[Aa]uf der|[Aa]uf dem|[Uu]nter den|[Hh]inter der|[Bb]eim)\\s(?<street>(?!Wohnung|WG|Zimmer|Haus|Etage|Stock|Block|Bezirk|Hotel|Alter|Jahr|Raum|${MONTH}|März|Mai|Juni|Juli|Oktober|Dezember|Januar|Februar)(?:${CAPITALISED}\\s){1,3})${HOUSE}${NOT_COUNTED}`;

const ROMANCE_LINK =
  "(?:(?:de\\s(?:la|las|los)|de|del|du|des|la|le|les|las|los|el|da|do|das|dos|di|dei|della|delle|degli|dell'|del'|d'|l')\\s?){0,2}";
const ROMANCE_NAME = `${ROMANCE_LINK}${CAPITALISED}(?:\\s(?:${ROMANCE_LINK})${CAPITALISED}){0,4}`;
const FRENCH = `(?<![\\p{L}\\d.,])(?<number>\\d{1,4}(?:\\s?(?:bis|ter|quater))?),?\\s(?:[Rr]ue|[Aa]venue|[Aa]v\\.|[Bb]oulevard|[Bb]d\\.?|[Bb]lvd|[Pp]lace|[Cc]hemin|[Aa]llée|[Ii]mpasse|[Qq]uai|[Rr]oute|[Cc]ours|[Pp]assage|[Ss]entier|[Ss]quare)\\s(?<street>${ROMANCE_LINK}${CAPITALISED})`;
const ROMANCE = `(?<!\\p{L})(?:[Cc]alle|[Cc]/|[Cc]l\\.|[Aa]venida|[Aa]vda\\.?|[Aa]v\\.|[Pp]laza|[Pp]aseo|[Cc]amino|[Cc]arretera|[Rr]onda|[Tt]ravesía|[Cc]arrer|[Rr]ua|[Tt]ravessa|[Ll]argo|[Pp]raça|[Aa]lameda|[Ee]strada|[Rr]odovia|[Vv]iale|[Pp]iazza(?:le)?|[Cc]orso|[Vv]icolo|[Ll]ungomare|[Ll]ungarno|[Ss]trada|[Ss]tr\\.|Via|(?<=(?:\\bin|\\ba|abit\\p{L}{0,3}|vivo|sto|indirizzo|[:,])\\s)via|[Jj]irón|[Ss]tradă)\\s?(?<street>${ROMANCE_NAME}),?\\s(?:n[º°.]?o?\\.?\\s?|nr\\.?\\s?|núm(?:ero|\\.)\\s?|número\\s|numero\\s|#\\s?)?${HOUSE}${NOT_COUNTED}`;
const COLOMBIAN =
  "(?<!\\p{L})(?:Calle|Carrera|Cra\\.?|Cl\\.?|Kr\\.?|Diagonal|Transversal|calle|carrera)\\s(?<street>\\d{1,3}\\s?[A-Z]?(?:\\s?(?:Sur|Bis))?)\\s?(?:#|No\\.?|n[°º]\\.?)\\s?(?<number>\\d{1,3}[A-Z]?\\s?-\\s?\\d{1,3})";

const POLISH = `(?<!\\p{L})(?:[Uu]l\\.|[Uu]lic[aęy]|[Aa]l\\.|[Aa]lej[aei]|[Oo]s\\.|[Oo]siedl[eu]|[Pp]l\\.|[Pp]lac(?:u)?)\\s(?<street>(?:${CAPITALISED}\\s|\\d{1,2}\\s){1,3})${HOUSE}${NOT_COUNTED}`;
const POLISH_LEAD = `(?<=(?i:mieszka\\p{L}*|adres|przeprowadzi\\p{L}*)\\b[^.!?\\d\\n]{0,24}?\\s(?:na|przy)\\s)(?<street>(?:${CAPITALISED}\\s){1,3})${HOUSE}${NOT_COUNTED}`;
const RUSSIAN_TYPE =
  "(?:[Уу]л\\.?|[Уу]лиц[аеуы]|[Пп]роспект[еа]?|[Пп]р-т|[Пп]р\\.|[Пп]ер\\.|[Пп]ереул\\p{L}+|[Нн]аб\\.|[Нн]абережн\\p{L}+|[Шш]оссе|[Бб]ульвар[еа]?|[Пп]лощад[ьи]|[Вв]ул\\.|[Вв]улиц[яі])";
const RUSSIAN = `(?<!\\p{L})(?:${RUSSIAN_TYPE}\\s?(?<street>${CAPITALISED}(?:\\s${CAPITALISED})?)|(?<before>${CAPITALISED})\\s${RUSSIAN_TYPE}),?\\s(?:д\\.?\\s?|дом\\s|дом[еа]?\\s|буд\\.?\\s?)?(?<number>\\d{1,4}[а-я]?(?:/\\d+)?)${NOT_COUNTED}`;
const CZECH_LEAD = `(?<=(?i:bydl[íi]\\p{L}*|adresa|bývam|stanuj\\p{L}*|živim)\\b[^.!?\\d\\n]{0,20}?\\s)(?<street>(?:${CAPITALISED}\\s){1,3})(?:č\\.\\s?|br\\.\\s?)?${HOUSE}${NOT_COUNTED}`;
const TURKISH = `(?<street>${CAPITALISED}(?:\\s${CAPITALISED}){0,3})\\s(?:Cad\\.?|Caddesi|Sok\\.?|Sokak|Sokağı|Bulvarı|Blv\\.)\\s?,?\\s?(?:[Nn]o\\s?[:.]?\\s?|[Nn]umara\\s)?${HOUSE}${NOT_COUNTED}`;
const GREEK = `(?:[Οο]δός|[Οο]δό|[Λλ]εωφόρος|[Λλ]εωφόρο)\\s(?<street>${CAPITALISED}(?:\\s${CAPITALISED})?)\\s${HOUSE}${NOT_COUNTED}`;

const CHINESE =
  "(?<street>\\p{Script=Han}{1,12}?(?:路|街|大道|巷|胡同|弄|道))(?:\\p{Script=Han}段)?\\s?(?<number>\\d{1,5}(?:弄\\d{1,4})?)\\s?[号號]";
const JAPANESE =
  "(?<street>[\\p{Script=Han}ヶケ]{1,8}[区市町村][\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]{0,12}?)(?<number>\\d{1,4}(?:丁目\\s?\\d{1,4}|-\\d{1,4})(?:(?:番地?|-)\\s?\\d{0,4})?(?:[号-]\\d{0,4})?)(?![月年時回対%-])";
const KOREAN =
  "(?<street>\\p{Script=Hangul}{1,8}(?:시|구|군|동)\\s(?:\\p{Script=Hangul}{1,8}(?:구|군|읍|면|동)\\s)?\\p{Script=Hangul}{1,10}(?:로|길)(?:\\d{1,3}번?길)?)\\s?(?<number>\\d{1,4}(?:-\\d{1,4})?)(?![년월일시분원%\\d])";
const HINDI =
  "(?:मकान|फ्लैट|प्लॉट|घर|दुकान)\\s(?:नंबर|नं\\.?|संख्या|क्रमांक)\\s?(?<number>[A-Za-z]?-?\\d+[A-Za-z]?(?:/\\d+)?),?\\s?(?<street>[\\p{Script=Devanagari}]{2,20})";
const ARABIC =
  "شارع\\s(?<street>[\\p{Script=Arabic}]+(?:\\s[\\p{Script=Arabic}]+){0,3}?)[،,]?\\s(?:رقم\\s|مبنى\\s|عمارة\\s)?(?<number>\\d{1,4})(?!\\d)|(?<first>\\d{1,4})\\s(?:ش\\.|شارع)\\s(?<second>[\\p{Script=Arabic}]+)";
const HEBREW = "רחוב\\s(?<street>[\\p{Script=Hebrew}]+(?:\\s[\\p{Script=Hebrew}]+){0,2})\\s(?<number>\\d{1,4})(?!\\d)";

const ADDRESS_LABEL =
  "(?i:(?<!(?:ip|mac|mail|e-mail|email|web|wallet|bitcoin|site|url|memory|server)[\\s-])(?<!\\p{L})(?:(?:home|postal|mailing|street|shipping|delivery|billing)\\s)?(?:address|adresse|anschrift|dirección|domicilio|indirizzo|endereço|morada|adres|adress|osoite|adresa|cím|адрес|адреса|διεύθυνση|पता|العنوان|adresim|adresi|địa chỉ|alamat))";
const LABELLED = `(?<![\\p{Script=Latin}\\d])(?=[\\p{Lu}\\d])(?<=${ADDRESS_LABEL}(?i:${GAP}|\\s?\\p{L}{2,8}:?\\s))(?:(?<number>\\d{1,5}[A-Za-z]?(?:/\\d+)?),?\\s(?<street>${CAPITALISED}(?:\\s${CAPITALISED}){1,3})|(?<before>(?:${CAPITALISED}[\\s,]{1,2}){1,4})(?<second>\\d{1,4}[a-zA-Z]?(?:/\\d+)?)${NOT_COUNTED})`;

const PATTERNS = [
  ...[ENGLISH, ENGLISH_LOWER, INDIAN, POST_BOX, GERMANIC, GERMANIC_LOWER, GERMAN_LEAD, FRENCH, ROMANCE, COLOMBIAN],
  ...[POLISH, POLISH_LEAD, RUSSIAN, CZECH_LEAD, TURKISH, GREEK, CHINESE, JAPANESE, KOREAN, HINDI, ARABIC, HEBREW, LABELLED],
].map((source) => new RegExp(anyCase(source, "exact"), "gu"));

/** A street with a house number in the usual order of some two dozen languages, or a labelled address. Towns and postcodes alone do not count. */
export function findStreetAddresses(text: string): Occurrence[] {
  return PATTERNS.flatMap((pattern) => occurrences(pattern, text, addressIdentity));
}

/** "12 Oak Street" and "12 Oak St, Springfield" are the same address: identity is the number and four letters of the street. */
function addressIdentity({ groups = {} }: RegExpExecArray): string {
  const house = groups.number ?? groups.first ?? groups.second ?? "";
  const street = (groups.street ?? groups.before ?? "").replace(/[^\p{L}\d]/gu, "").toLowerCase();
  return `${house.replace(/\s/g, "").toLowerCase()} ${street.slice(0, 4)}`;
}
