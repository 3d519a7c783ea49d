import { validate as arDni } from "stdnum/lib/cjs/ar/dni.js";
import { validate as atVnr } from "stdnum/lib/cjs/at/vnr.js";
import { validate as auTfn } from "stdnum/lib/cjs/au/tfn.js";
import { validate as beNn } from "stdnum/lib/cjs/be/nn.js";
import { validate as bgEgn } from "stdnum/lib/cjs/bg/egn.js";
import { validate as brCpf } from "stdnum/lib/cjs/br/cpf.js";
import { validate as caSin } from "stdnum/lib/cjs/ca/sin.js";
import { validate as chSsn } from "stdnum/lib/cjs/ch/ssn.js";
import { validate as clRut } from "stdnum/lib/cjs/cl/rut.js";
import { validate as cnRic } from "stdnum/lib/cjs/cn/ric.js";
import { validate as czRc } from "stdnum/lib/cjs/cz/rc.js";
import { validate as deIdnr } from "stdnum/lib/cjs/de/idnr.js";
import { validate as deSvnr } from "stdnum/lib/cjs/de/svnr.js";
import { validate as dkCpr } from "stdnum/lib/cjs/dk/cpr.js";
import { validate as ecCi } from "stdnum/lib/cjs/ec/ci.js";
import { validate as eeIk } from "stdnum/lib/cjs/ee/ik.js";
import { validate as esDni } from "stdnum/lib/cjs/es/dni.js";
import { validate as esNie } from "stdnum/lib/cjs/es/nie.js";
import { validate as fiHetu } from "stdnum/lib/cjs/fi/hetu.js";
import { validate as frNir } from "stdnum/lib/cjs/fr/nir.js";
import { validate as gbNino } from "stdnum/lib/cjs/gb/nino.js";
import { validate as grAmka } from "stdnum/lib/cjs/gr/amka.js";
import { validate as hkHkid } from "stdnum/lib/cjs/hk/hkid.js";
import { validate as hrOib } from "stdnum/lib/cjs/hr/oib.js";
import { validate as iePps } from "stdnum/lib/cjs/ie/pps.js";
import { validate as ilIdnr } from "stdnum/lib/cjs/il/idnr.js";
import { validate as inAadhaar } from "stdnum/lib/cjs/in/aadhaar.js";
import { validate as inEpic } from "stdnum/lib/cjs/in/epic.js";
import { validate as inPan } from "stdnum/lib/cjs/in/pan.js";
import { validate as isKennitala } from "stdnum/lib/cjs/is/kennitala.js";
import { validate as itCodicefiscale } from "stdnum/lib/cjs/it/codicefiscale.js";
import { validate as krRrn } from "stdnum/lib/cjs/kr/rrn.js";
import { validate as lkNic } from "stdnum/lib/cjs/lk/nic.js";
import { validate as ltAsmens } from "stdnum/lib/cjs/lt/asmens.js";
import { validate as mxCurp } from "stdnum/lib/cjs/mx/curp.js";
import { validate as mxRfc } from "stdnum/lib/cjs/mx/rfc.js";
import { validate as myNric } from "stdnum/lib/cjs/my/nric.js";
import { validate as nlBsn } from "stdnum/lib/cjs/nl/bsn.js";
import { validate as noFodselsnummer } from "stdnum/lib/cjs/no/fodselsnummer.js";
import { validate as nzIrd } from "stdnum/lib/cjs/nz/ird.js";
import { validate as pkCnic } from "stdnum/lib/cjs/pk/cnic.js";
import { validate as plPesel } from "stdnum/lib/cjs/pl/pesel.js";
import { validate as ptCc } from "stdnum/lib/cjs/pt/cc.js";
import { validate as ptNif } from "stdnum/lib/cjs/pt/nif.js";
import { validate as roCnp } from "stdnum/lib/cjs/ro/cnp.js";
import { validate as ruInn } from "stdnum/lib/cjs/ru/inn.js";
import { validate as sePersonnummer } from "stdnum/lib/cjs/se/personnummer.js";
import { validate as thIdnr } from "stdnum/lib/cjs/th/idnr.js";
import { validate as trTckimlik } from "stdnum/lib/cjs/tr/tckimlik.js";
import { validate as twNatid } from "stdnum/lib/cjs/tw/natid.js";
import { validate as uaRntrc } from "stdnum/lib/cjs/ua/rntrc.js";
import { validate as usSsn } from "stdnum/lib/cjs/us/ssn.js";
import { validate as uyCedula } from "stdnum/lib/cjs/uy/cedula.js";
import { validate as zaIdnr } from "stdnum/lib/cjs/za/idnr.js";
import { compact } from "./labelled.ts";

/** One format of an id. Without `label` the format is specific enough; with it, the text must name the number nearby. */
type NationalId = { shape: string; label?: string; isValid: (value: string) => boolean };

type Validate = (value: string) => { isValid: boolean };

function row(validate: Validate, shape: string, label?: string): NationalId {
  const isValid = (value: string) => validate(value).isValid || validate(compact(value)).isValid;
  return label === undefined ? { shape, isValid } : { shape, label, isValid };
}

/**
 * Ids of persons whose structure or check digits `stdnum` knows (each of its files names its source), imported one by one from the
 * CommonJS build: the package's root would bring every country, and its ES build does not load in Node.
 */
export const NATIONAL_IDS: readonly NationalId[] = [
  row(usSsn, String.raw`\d{3}-\d{2}-\d{4}`),
  row(usSsn, String.raw`\d{3}\s?\d{2}\s?\d{4}`, String.raw`ssn|social\s+security|soc\.?\s?sec|social\b`),
  row(gbNino, String.raw`[A-Z]{2} \d{2} \d{2} \d{2} [A-D]`),
  row(
    gbNino,
    String.raw`[A-Z]{2}\s?\d{2}[\s-]?\d{2}[\s-]?\d{2}\s?[A-D]`,
    String.raw`national\s+insurance|nino\b|\bni\s?(?:no|num|is|#|:)`,
  ),
  row(
    deIdnr,
    String.raw`\d{2}\s?\d{3}\s?\d{3}\s?\d{3}`,
    String.raw`steuer-?\s?id|steueridentifikation|steuerliche\s+identifikation|id-?nr|german\s+tax\s+id|tax\s+id`,
  ),
  row(deSvnr, String.raw`\d{2}\s?\d{6}\s?[A-Z]\s?\d{3}`),
  row(atVnr, String.raw`\d{4}\s?\d{6}`, String.raw`svnr|sv-?\s?n|sozialversicherung|versicherungsnummer`),
  row(frNir, String.raw`[12]\s?\d{2}\s?\d{2}\s?\d[\dAB]\s?\d{3}\s?\d{3}\s?\d{2}`),
  row(esDni, String.raw`\d{8}[\s-]?[A-Z]`),
  row(esDni, String.raw`\d{2}\.\d{3}\.\d{3}[\s-]?[A-Z]`),
  row(esNie, String.raw`[XYZ][\s-]?\d{7}[\s-]?[A-Z]`),
  row(itCodicefiscale, String.raw`[A-Z]{6}\s?\d{2}[A-EHLMPRST]\d{2}\s?[A-Z]\d{3}[A-Z]`),
  row(ptNif, String.raw`\d{3}\s?\d{3}\s?\d{3}`, String.raw`\bnif\b|contribuinte|identificação\s+fiscal`),
  row(ptCc, String.raw`\d{8}\s?\d\s?[A-Z0-9]{2}\d`, String.raw`cartão\s+d[eo]\s+cidadão|\bcc\b`),
  row(
    nlBsn,
    String.raw`\d{4}\.?\d{2}\.?\d{3}|\d{3}\s\d{3}\s\d{3}`,
    String.raw`\bbsn|burgerservice|sofi-?\s?nummer|citizen\s+service`,
  ),
  row(beNn, String.raw`\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}`),
  row(
    beNn,
    String.raw`\d{6}[\s-]?\d{3}[\s-]?\d{2}`,
    String.raw`rijksregister|registre\s+national|national\s+(?:register|number)|insz|niss`,
  ),
  row(chSsn, String.raw`756\.\d{4}\.\d{4}\.\d{2}`),
  row(chSsn, String.raw`756\d{10}`, "ahv|avs|sozialversicherung"),
  row(plPesel, String.raw`\d{11}`, "pesel"),
  row(czRc, String.raw`\d{6}/\d{4}`),
  row(sePersonnummer, String.raw`(?:\d{2})?\d{6}[-+]\d{4}`),
  row(sePersonnummer, String.raw`(?:\d{2})?\d{6}\s?\d{4}`, "personnummer|personnr|pnr|samordningsnummer"),
  row(fiHetu, String.raw`\d{6}[-+A-FU-Y]\d{3}[\dA-FHJ-NPR-Y]`),
  row(dkCpr, String.raw`\d{6}[\s-]?\d{4}`, String.raw`\bcpr|personnummer`),
  row(noFodselsnummer, String.raw`\d{6}\s?\d{5}`, String.raw`fødselsnummer|personnummer|fodselsnummer|national\s+id`),
  row(isKennitala, String.raw`\d{6}-?\d{4}`, "kennital"),
  row(eeIk, String.raw`\d{11}`, String.raw`isikukood|personal\s+code|national\s+id`),
  row(ltAsmens, String.raw`\d{11}`, String.raw`asmens\s+kod`),
  row(roCnp, String.raw`\d{13}`, String.raw`\bcnp\b|cod\s+numeric`),
  row(bgEgn, String.raw`\d{10}`, String.raw`егн|\begn\b`),
  row(hrOib, String.raw`\d{11}`, String.raw`\boib\b`),
  row(grAmka, String.raw`\d{11}`, String.raw`αμκα|\bamka\b`),
  row(ruInn, String.raw`\d{12}`, String.raw`(?<!\p{L})инн(?!\p{L})|\binn\b`),
  row(uaRntrc, String.raw`\d{10}`, String.raw`рнокпп|ідентифікаційн|(?<!\p{L})іпн(?!\p{L})|rnokpp`),
  row(trTckimlik, String.raw`\d{11}`, String.raw`kimlik|\btckn\b|\btc\s?(?:no|kimlik)`),
  row(ilIdnr, String.raw`\d{9}`, String.raw`תעודת\s+זהות|מספר\s+זהות|ת"ז|ת\.ז|teudat|israeli\s+id`),
  row(iePps, String.raw`\d{7}[A-W][AHWTX]?`, String.raw`\bpps`),
  row(caSin, String.raw`\d{3}[\s-]?\d{3}[\s-]?\d{3}`, String.raw`\bsin\b|social\s+insurance|assurance\s+sociale|\bnas\b`),
  row(mxCurp, String.raw`[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z\d]\d`),
  row(mxRfc, String.raw`[A-ZÑ&]{4}-?\d{6}-?[A-Z\d]{3}`, String.raw`\brfc\b`),
  row(brCpf, String.raw`\d{3}\.\d{3}\.\d{3}-\d{2}`),
  row(brCpf, String.raw`\d{9}-?\d{2}`, String.raw`\bcpf\b`),
  row(arDni, String.raw`\d{2}\.?\d{3}\.?\d{3}`, String.raw`\bdni\b|documento`),
  row(clRut, String.raw`\d{1,2}\.\d{3}\.\d{3}-[\dKk]`),
  row(clRut, String.raw`\d{7,8}-[\dKk]`, String.raw`\brut\b|\brun\b`),
  row(ecCi, String.raw`\d{9}-?\d`, "cédula|cedula"),
  row(uyCedula, String.raw`\d\.\d{3}\.\d{3}-\d`, String.raw`cédula|cedula|\bci\b`),
  row(cnRic, String.raw`\d{17}[\dXx]`),
  row(hkHkid, String.raw`[A-Z]{1,2}\d{6}\([\dA]\)`),
  row(twNatid, String.raw`[A-Z][1289]\d{8}`, String.raw`身分證|身份證|身份证|national\s+id|taiwan`),
  row(krRrn, String.raw`\d{6}-[1-8]\d{6}`),
  row(inAadhaar, String.raw`\d{4}[\s-]?\d{4}[\s-]?\d{4}`, "aa?dh?aa?r|uidai|आधार"),
  row(inPan, String.raw`[A-Z]{3}P[A-Z]\d{4}[A-Z]`),
  row(inEpic, String.raw`[A-Z]{3}\d{7}`, String.raw`voter|\bepic\b|मतदाता`),
  row(pkCnic, String.raw`\d{5}-\d{7}-\d`),
  row(lkNic, String.raw`\d{9}[VX]|\d{12}`, String.raw`\bnic\b|national\s+id`),
  row(myNric, String.raw`\d{6}-\d{2}-\d{4}`),
  row(thIdnr, String.raw`\d-\d{4}-\d{5}-\d{2}-\d`),
  row(thIdnr, String.raw`\d{13}`, String.raw`บัตรประชาชน|ประจำตัวประชาชน|thai\s+id`),
  row(zaIdnr, String.raw`\d{6}\s?\d{4}\s?\d{3}`, String.raw`\bid\s+(?:no|num|is)|identity|rsa\s+id|\bid:`),
  row(auTfn, String.raw`\d{3}[\s-]?\d{3}[\s-]?\d{2,3}`, String.raw`\btfn\b|tax\s+file`),
  row(nzIrd, String.raw`\d{2,3}[\s-]?\d{3}[\s-]?\d{3}`, String.raw`\bird\b`),
  row(snils, String.raw`\d{3}-\d{3}-\d{3}[ -]\d{2}`),
  row(myNumber, String.raw`\d{4}[\s-]?\d{4}[\s-]?\d{4}`, "マイナンバー|個人番号|my\\s?number"),
  row(nric, String.raw`[STFGM]\d{7}[A-Z]`),
  row(nhs, String.raw`\d{3}[\s-]?\d{3}[\s-]?\d{4}`, String.raw`\bnhs\b`),
];

/** Russian SNILS: a weighted sum mod 101 (Pension Fund order 192p). */
function snils(value: string): { isValid: boolean } {
  const digits = compact(value);
  return { isValid: (weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === Number(digits.slice(9)) };
}

/** Japanese individual number: the last of twelve digits mod 11 (Ministry of Internal Affairs ordinance 85 of 2014, article 5). */
function myNumber(value: string): { isValid: boolean } {
  const digits = compact(value);
  const rest = weighted(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return { isValid: (rest <= 1 ? 0 : 11 - rest) === Number(digits.at(11)) };
}

/** Singapore NRIC and FIN: a letter mod 11, shifted by the century's letter. The scheme is not published; this is the one in common use. */
function nric(value: string): { isValid: boolean } {
  const [prefix = "", suffix = ""] = [value.charAt(0), value.charAt(8)];
  const offset = prefix === "T" || prefix === "G" ? 4 : prefix === "M" ? 3 : 0;
  const rest = (weighted(value.slice(1), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  const letters = prefix === "M" ? "XWUTRQPNJLK" : /[ST]/.test(prefix) ? "JZIHGFEDCBA" : "XWUTRQPNMLK";
  return { isValid: letters.charAt(prefix === "M" ? 10 - rest : rest) === suffix };
}

/** NHS number: the last of ten digits mod 11 (NHS Data Dictionary, "NHS NUMBER"). */
function nhs(value: string): { isValid: boolean } {
  const digits = compact(value);
  const check = (11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return { isValid: check === Number(digits.at(9)) };
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits.charAt(at)), 0);
}
