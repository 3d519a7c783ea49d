import type { Secret } from "./secret.ts";
import { isStrongPassword, readValue } from "./stated-value.ts";

const NAMED_PAIR =
  /(?:credentials?|creds|log-?ins?(?: details| data| info)?|zugangsdaten|anmeldedaten|identifiants|credenciales|credenziali|credenciais|账号密码|user(?:name)?\s?[/&]\s?pass(?:word)?|логин[\s/]{1,2}пароль)(?:\s(?:for|to|on|für|pour|para|per|на|для)(?:\s[\p{L}\p{N}.'-]{1,24}){1,3}?)?\s{0,2}(?:[:：=]|is|are|sind|lauten|son|sont|sono|são)\s{0,2}[^\s/|,:]{2,64}\s{0,2}(?:[/|:,]|and|with|und|mit)\s{0,2}/giu;
/** A colon also parts a host from a path (`git@host:team/project`), so what follows one has no slash and no dot. */
const MAIL_PAIR =
  /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,24}){1,3}(?:\s(?:\/{1,2}|\|)\s|:\s?(?=[^\s/.]{4,64}(?:\s|$)))/g;
const COMMAND =
  /(?<![\w-])(?:(?:sshpass|(?:docker|podman|az) login|mysql(?:dump|admin)?)(?=\s)[^\n|;]{0,80}?\s-p\s?|curl\s[^\n|;]{0,160}?(?:-u|--user)[= ]["']?[^\s:"']{1,64}:|redis-cli\s[^\n|;]{0,80}?-a\s)(?=\S)/g;

/** A password that only its place names: the second of a login pair, or what a command takes as its password. */
export function findLogins(text: string): Secret[] {
  const found: Secret[] = [];
  for (const pattern of [NAMED_PAIR, MAIL_PAIR, COMMAND]) {
    for (const match of text.matchAll(pattern)) {
      const value = readValue(text, match.index + match[0].length);
      if (value !== null && isStrongPassword(value.value) && /\D/.test(value.value)) {
        found.push({ kind: "password", start: value.start, end: value.end });
      }
    }
  }
  return [...found, ...findNetworks(text)];
}

const NETWORK = /WIFI:(?:[A-OQ-Z]:(?:[^;\\]|\\.){0,64};){0,4}P:((?:[^;\\]|\\.){4,63});/g;

/** The password of a Wi-Fi QR code's text. */
function findNetworks(text: string): Secret[] {
  return [...text.matchAll(NETWORK)].map((match) => {
    const end = match.index + match[0].length - 1;
    return { kind: "password", start: end - (match[1] ?? "").length, end };
  });
}
