import type { Calendar, SignWords } from "#core/language/pack";

const WEEKDAY = "(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)";
const MONTH = "(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)";
const PASSING =
  "(?:cansad[oa]|agotad[oa]|estresad[oa]|aburrid[oa]|triste|nervios[oa]|enfadad[oa]|enojad[oa]|feliz|content[oa]|enferm[oa]|mal|fatal|agobiad[oa]|preocupad[oa]|de (?:buen|mal) humor|hech[oa] polvo|molid[oa]|resfriad[oa]|sol[oa])";

export const SPANISH_SIGNS: SignWords = {
  duty: "\\b(?:tengo|tenemos|tendría) que\\b|\\b(?:debo|debemos|debería|deberíamos) \\p{L}+[aei]r\\b|\\bhay que \\p{L}|\\brecuérda(?:me|nos)\\b|\\bno (?:me dejes olvidar|olvides?|se te olvide)\\b|\\bme (?:falta|queda) (?:por )?\\p{L}+[aei]r\\b|\\bnecesito \\p{L}+[aei]r(?:l[oea]s?)?\\b",
  feeling: `\\b(?:estoy|me siento|ando|estamos) (?:hoy |muy |tan |un poco |algo |bastante |súper |super |realmente |mal ){0,3}${PASSING}\\b|\\bme duelen?\\b|\\btengo (?:mucho |mucha |un poco de |algo de )?(?:hambre|sed|sueño|frío|calor|fiebre|dolor|tos|náuseas|resaca|migraña|miedo de mañana)\\b|\\b(?:hace|hacía) (?:hoy )?(?:mucho |un |muchísimo )?(?:frío|calor|viento|sol|bochorno)\\b|\\b(?:está lloviendo|llueve|está nevando|nieva)\\b|\\bdormí (?:mal|fatal|poco|bien)\\b|\\bhe dormido (?:mal|fatal|poco|bien)\\b`,
  doing:
    "\\b(?:estoy|estamos|ando|andamos|sigo|seguimos|llevo \\p{L}+ (?:días|semanas)) (?!(?:casad|enamorad)\\p{L}+)(?:\\p{L}{2,14} ){0,1}(?!viviendo\\b)\\p{L}{2,14}(?:ando|iendo|yendo)\\b|\\b(?:estoy|estamos) (?:de (?:baja|vacaciones|viaje|obras|mudanza)|ocupad[oa]s? con|liad[oa]s? con|en (?:paro|medio de))\\b|\\bbusco (?:piso|trabajo|casa)\\b",
  done: "\\b(?:fui|fuimos|fue|fueron|tuve|tuvimos|tuvo|hice|hicimos|hizo|estuve|estuvimos|vimos|vino|vinieron|dimos|\\p{L}{2,14}(?:\\u00e9|\\u00ed|\\u00f3)|(?:nos )\\p{L}{2,14}(?:amos|imos))(?![\\p{L}])|\\b(?:he|hemos|ha|han) \\p{L}{2,14}(?:ado|ido|to|cho)\\b",
  likes:
    "\\b(?:me|nos) (?:\\p{L}{1,12} )?(?:gustan?|gustaría más|encantan?|fascinan?|apasionan?|chiflan?|molan?)\\b|\\bno (?:me gustan?|soporto|aguanto)\\b|\\b(?:odio|detesto|adoro|amo|prefiero|disfruto)\\b|\\bfavorit[oa]s?\\b|\\bfan de\\b|\\baficionad[oa] a\\b",
  past: `\\b(?:ayer|anoche|anteayer|antier|(?:el|la) (?:${WEEKDAY}|semana|fin de semana|finde|noche) (?:pasad[oa]|anterior)|hace (?:un|una|unos|unas|dos|tres|\\d{1,3}|pocos|pocas) (?:días?|semanas?|horas?|minutos?|ratos?)|el otro día)\\b`,
  future: `\\b(?:(?<!(?:la|esta|por la|de la) )mañana(?! por la mañana temprano siempre)|pasado mañana|(?:el|la) (?:próxim[oa]) \\p{L}+|(?:el|la) (?:${WEEKDAY}|semana|mes|año) que viene|la semana que viene|dentro de (?:un|una|unos|dos|tres|\\d{1,2}) (?:días?|semanas?|horas?|meses))\\b`,
  day: `\\b(?:el|este|para el) ${WEEKDAY}\\b|\\bel \\d{1,2} de ${MONTH}\\b|\\bel día \\d{1,2}\\b`,
  now: "\\b(?:hoy|ahora mismo|en este (?:momento|instante)|esta (?:mañana|tarde|noche))\\b",
  current: "\\b(?:actualmente|estos días|últimamente|en este momento|este (?:mes|trimestre|verano|invierno))\\b",
  until:
    "\\b(?:de momento|por ahora|por el momento|esta semana|este (?:finde|fin de semana)|hasta (?!luego|pronto|ahora|mañana\\W*$)\\p{L}|temporalmente|durante (?:unos|unas|dos|tres|\\d{1,2}) (?:días|semanas|meses))\\b",
  lasting:
    "\\b(?:siempre|cada|tod[oa]s l[oa]s|diari[oa]|diariamente|semanal|mensual|normalmente|generalmente|suelo|solemos|nunca|jamás|a menudo|desde (?:hace|que|el|la|niñ)|los (?:lunes|martes|miércoles|jueves|viernes|sábados|domingos|fines de semana)|el (?:año|mes|verano|invierno) pasado|hace (?:\\p{L}{1,9} |\\d{1,3} )?(?:años?|meses|mes)|en (?:19|20)\\d\\d|cumpleaños|nací|crecí|aniversario|veces (?:a la|por|al)|por las (?:mañanas|noches|tardes))\\b",
};

export const SPANISH_CALENDAR: Calendar = {
  months: [
    ...["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto"],
    ...["septiembre|setiembre", "octubre", "noviembre", "diciembre"],
  ],
  dates: [
    "\\b(?<day>\\d{1,2}) de {month}\\b(?: (?:de|del) (?<year>20\\d\\d))?",
    "\\b(?:en|hasta|antes de|para|a (?:finales|principios|mediados) de) {month}\\b(?: (?:de|del) (?<year>20\\d\\d))?",
  ],
};
