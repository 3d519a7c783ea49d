/** Words for "password", singular and plural, in languages for which ordinary-words.ts has a list. */
const WORDS = [
  "pass[-_]?(?:words?|wort|wörter|wd|codes?|phrases?)|pass (?:word|phrase)s?",
  "kenn-?w[oö]rt(?:er)?|mots? de passe|contrase[nñ]as?|palavras?[- ]passe|parol[ae] d['’]ordine",
  "wachtwoord(?:en)?|lösenord|парол(?:ь|я|ю|ем|е|и|ей)|密[码碼]|口令|パスワード|パスフレーズ|비밀번호",
];
const SHORT_WORDS = "pwd?s?|psw|psswd|mdp|senhas?|claves?(?! (?:de )?(?:la )?api)";

/** By language, some with endings of cases and possessives. */
const WORDS_ELSEWHERE: Readonly<Record<string, string>> = {
  arabic: "كلم(?:ة|ات) (?:ال)?(?:مرور|سر|سري)|الرقم السري|باسوورد",
  basque: String.raw`pasahitz\p{L}{0,4}`,
  bengali: "পাসওয়ার্ড",
  bulgarian: "парола(?:та)?|пароли",
  catalan: "contrasenye?s?a?",
  croatian: String.raw`lozink\p{L}{1,3}|лозинк\p{L}{1,3}`,
  czech: "hesl(?:o|a|em|u)",
  danish: "adgangskoden?|adgangskoder|kodeord(?:et)?|løsen(?:et)?",
  estonian: String.raw`parool\p{L}{0,3}|salasõn\p{L}{1,3}`,
  finnish: String.raw`salasan\p{L}{1,6}(?: on)?`,
  greek: "κωδικ(?:ός|ό|οί|ούς|ος|ο|οι)(?: πρόσβασης)?(?! (?:προϊόν|πελάτ|παραγγελ|κράτησ|χώρα|έκπτωσ))|συνθηματικ[όά]",
  hebrew: "ה?סיסמ(?:ה|א|ת|תי|ות)|ה?סיסמאות",
  hindi: "पासवर्ड|कूटशब्द",
  hungarian: String.raw`jelsz(?:ó|o|av)\p{L}{0,4}`,
  icelandic: "lykilorð(?:ið)?",
  indonesian: "kata (?:sandi|laluan)(?:nya|ku)?|sandi(?:nya|ku)?",
  japanese: "暗号|合言葉",
  korean: "암호|패스워드|비번",
  latvian: String.raw`parole\p{L}{0,2}`,
  lithuanian: String.raw`slaptažod\p{L}{1,5}`,
  norwegian: "passord(?:et|ene)?",
  persian: "رمز عبور|گذرواژه|پسورد",
  polish: "has(?:ł|l)(?:o|a|em)(?: to)?",
  romanianAndTurkish: String.raw`parol[aăe]\p{L}{0,4}`,
  slovene: "gesl[oa]",
  swahili: "nenosiri|nywila",
  swedish: "lösenord(?:et|en)?",
  tamil: "கடவுச்சொல்",
  thai: "รหัสผ่าน|พาสเวิร์ด",
  turkish: String.raw`[şs]ifre\p{L}{0,4}`,
  ukrainian: "парол(?:ем|і|ів)",
  urdu: "پاس ?ورڈ",
  vietnamese: "m[ậa]t kh[ẩa]u",
};

export const PASSWORD = new RegExp(
  String.raw`(?:${WORDS.join("|")})(?!\p{Script=Latin}|\p{Script=Cyrillic})|(?<![\p{L}\p{N}])(?:${SHORT_WORDS})(?![\p{L}])`,
  "giu",
);

/** Mostly a verb ("pass `strict=True`"), so it names a password only where a verb or a colon follows it, or a login stands before it. */
export const PASS = /(?<![\p{L}\p{N}_-])pass(?![\p{L}\p{N}_-])/giu;

/** Names after which the value itself must look like a password. */
export const PASSWORD_WITH_STRONG_VALUE = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}])(?:${Object.values(WORDS_ELSEWHERE).join("|")})(?!\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek})`,
  "giu",
);

export const PIN =
  /(?<![\p{L}\p{N}])(?:pins?|пин)(?:[ -]?(?:numbers?|nummern?|codes?|код(?:ы)?))?(?!\p{L})|暗証番号|geheimzahl(?:en)?/giu;
