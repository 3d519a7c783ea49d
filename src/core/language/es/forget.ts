import type { ForgetWords } from "#core/language/forget-words";

const OFTEN = "(?:(?:por favor|porfa|porfi|ya|mejor|también|de una vez|completamente|todo) ){0,4}";
const FORGET = "(?:olvida(?:te)?|olvide(?:se)?|olvidad|olvídate|olvídese|desaprende)";
const FORGETTING = "(?:olvid(?:ar(?:l[oa]s?)?|arte|arse|es|e|aras|ases|ara))(?: de)?";
const DELETE =
  "(?:borra|borre|borrad|suprime|suprima|bórr[ae]me(?:l[oa]s?)?|elimín[ae]me(?:l[oa]s?)?|bórral[oa]s?|bórrel[oa]s?|elimínal[oa]s?|elimínel[oa]s?)";
const DELETING = "(?:borr(?:ar(?:l[oa]s?)?|es|e|aras|ases|ara)|suprim(?:ir|as|a|ieras))";
const KEEPING =
  "(?:guard(?:es|e|ar|éis|aras|ases|ara)|almacen(?:es|e|ar|aras)|record(?:ar|aras)|recuerdes?|anot(?:es|e|ar)|apunt(?:es|e|ar)|registr(?:es|e|ar)|conserv(?:es|e|ar)|memoric(?:es|e)|memorizar|reteng(?:as|a)|retener)";
const ASK =
  "(?:me )?(?:puedes|podrías|podría|puede|podríais|pueden|quieres|querrías)(?: tú| usted)?(?: por favor)? (?:hacerme el favor de |hacer el favor de )?|(?:te|le) (?:importa|importaría) |haz(?:me)? el favor de |haga el favor de |(?:te|le) (?:pido|ruego|agradecería) (?:que )?|favor de ";
const WISH =
  "(?:quiero|quisiera|necesito|prefiero|preferiría|me gustaría|te pido|le pido|te ruego|agradecería|te agradecería|espero) que ";

const asked = (verbs: string) => [
  `(?:${ASK})${OFTEN}${verbs}\\b(?<object>.*)`,
  `(?:${WISH})(?:te |se |lo |la )?${OFTEN}${verbs}\\b(?<object>.*)`,
  `por favor (?:${verbs})\\b(?<object>.*)`,
];

export const SPANISH_FORGET: ForgetWords = {
  lead: "ya|mejor|anda|venga|mira|oye|pues|eh|ay|vale|bueno|perdón|perdona|gracias|también|y|pero|uy|uf|a ver|hola|ok|okay|entonces|ahora|por cierto|una cosa|disculpa|espera|buenos días|buenas|sí|che",
  polite: "por favor|porfa|porfi|porfavor",
  forgets: [`${FORGET}\\b(?: de)?(?<object>.*)`, ...asked(FORGETTING)],
  stores: [
    `(?:haz|haga|hagamos) como (?:que|si) (?<object>(?:yo )?no (?:te |le )?(?:dije|hubiera|hubiese|he dicho|conté).*)`,
    `no te quedes con\\b(?<object>.*)`,
    `no (?:hace falta|es necesario|tienes|tiene|debes|debe|deberías|debería|hay) (?:que |de )?(?:lo |la |me )?${KEEPING}\\b(?<object>.*)`,
    `(?:${ASK})${OFTEN}no (?:me |te |lo |la )?${KEEPING}\\b(?<object>.*)`,
    `(?<object>(?:el|la|los|las|lo|mis?|eso) .{1,120}?),? (?:no (?:me |te )?l[oa]s? ${KEEPING}|que no (?:quede|se guarde|conste))\\b(?<more>.*)`,
    `que no (?:quede|conste|se guarde|haya)(?: registro| constancia| rastro| nada)? (?:de |sobre )?(?<object>.*)`,
    `no (?:me |te |lo |la )?${KEEPING}\\b(?<object>.*)`,
    `(?:${WISH})no (?:me |te |lo |la )?${KEEPING}\\b(?<object>.*)`,
    `no (?:quiero|quisiera) que (?:me |te )?${KEEPING}\\b(?<object>.*)`,
    `(?:(?:${ASK})|)(?:deja|deje|dejar) de (?:recordar|guardar|almacenar)\\b(?<object>.*)`,
  ],
  deletes: [
    `${DELETE}\\b(?<object>.*)`,
    ...asked(DELETING),
    `(?:quiero|quisiera|me gustaría|necesito|pido) que se (?:borr|elimin|olvid)(?:e|en|ara|aran)\\b(?<object>.*)`,
    "me (?:borras|eliminas|quitas)\\b(?<object>.*)",
    `quiero (?<object>.{1,120}?) fuera de (?:tu|su) (?:memoria|registro|notas|cabeza)\\b(?<more>.*)`,
  ],
  drops: [
    "(?:elimina|elimine|eliminad|quita|quite|saca|saque|tacha|tache|tira|descarta|retira|quítal[oa]s?|sácal[oa]s?)\\b(?<object>.*)",
    ...asked(
      "(?:elimin(?:ar(?:l[oa]s?)?|es|e|aras|ara)|quit(?:ar(?:l[oa]s?)?|es)|sac(?:ar(?:l[oa]s?)?)|saques|tach(?:ar|es)|descart(?:ar|es)|retir(?:ar|es))",
    ),
  ],
  said: "\\b(?:lo |todo lo |aquello )que (?:ya |antes |alguna vez )?(?:(?:te|le|os|les) )?(?:dije|he dicho|conté|he contado|confesé|he confesado|escribí|he escrito|mencioné|he mencionado|comenté|he comentado|expliqué|he explicado|hablé|he hablado|compartí|he compartido|di|puse|mandé)\\b|\\bque (?:te|le) (?:dije|he dicho|conté|he contado|confesé|mencioné|di|he dado|comenté|compartí|mandé)\\b|\\b(?:sabes|sabe|tienes|tiene|guardas|guardaste|recuerdas|recuerda|has guardado|has apuntado|tengas|sepas)\\b|\\b(?:tu|su) (?:memoria|registro|registros|historial|base de datos|notas|cabeza|archivo|archivos)\\b|\\b(?:la conversación|nuestra conversación) (?:sobre|de)\\b",
  regrets:
    "\\b(?:no (?:debí|debería haber|tendría que haber|quería)|me arrepiento de|fue (?:una )?(?:tontería|estupidez|mala idea|error)|acabo de ver que te|te (?:pegué|puse|mandé|dejé|pasé|escribí)|qué (?:tonto|tonta|cabeza|burro|burra)|aquí)\\b",
  thing:
    "\\b(?:lo|eso|aquello) (?:de|del|sobre)\\b|\\b(?:la parte|el tema|el asunto|la cosa|el rollo|la historia|el comentario|mi comentario|el detalle) (?:de|del|sobre|con)\\b",
  not: "\\b(?:no|nunca|jamás|otra vez)\\b",
  worldly: "\\b(?:en secreto|esperando|fuera|dentro|mal|en (?:el|la|los|las|un|una|mi) \\p{L}{2,24})\\b",
  data: "\\b(?:número|código|pin|contraseña|clave|dirección|nombre|correo|teléfono|cumpleaños|nacimiento|datos|dni|pasaporte|cédula|iban|sueldo|usuario)\\b",
  instead: "\\b(?:en vez de|en lugar de|mejor pon|cámbial[oa]|cambia|sustituye|reemplaza)\\b",
  definite: "(?:el|la|los|las|dónde|quién|cuándo|cómo|cuánto|ese|esa|esos|esas)\\b",
  about: "\\btodo (?:lo )?(?:que \\p{L}{1,24} )?(?:sobre|de|acerca de|relacionado con|referente a|relativo a|respecto a)\\b",
  last: "(?:mi|el) (?:último|anterior) (?:mensaje|comentario)\\b|(?:lo|todo lo) (?:último )?que (?:te )?acabo de (?:decir(?:te)?|contar(?:te)?|escribir(?:te)?|mandar(?:te)?)\\b|lo último que (?:te )?(?:dije|he dicho|escribí|conté)\\b",
  own: "(?:(?:la |el |los |las )?(?:información|parte|datos|detalles|hecho) )?(?:lo )?(?:de |sobre )?(?:mis?|nuestr[oa]s?)\\b|(?:de )?(?:que|dónde|cómo|cuánto|quién|cuándo|cuál) (?:\\p{L}{1,24})",
  bare: "(?:de )?(?:que|qu') ?\\p{L}{1,24} \\p{L}",
  pieces:
    "\\b(?:párrafos?|frases?|líneas?|palabras?|títulos?|introducción|conclusión|filas?|columnas?|celdas?|tablas?|secci(?:ón|ones)|capítulos?|diapositivas?|páginas?|estrofas?|emojis?|comas?|puntos?|pasos?|elementos?|ingredientes?|recetas?|listas?|archivos? (?:de|del|adjunto)|ficheros?|carpetas?|ramas?|funci(?:ón|ones)|variables?|clases?|imágenes|imagen|fotos?|vídeos?|videos?|fondo|logo|app|aplicaci(?:ón|ones)|(?<!de )cuenta|cookies|caché|navegador|borrador(?:es)?|versi(?:ón|ones)|ensayo|cartas?|poemas?|escenas?|correos?|e-?mails?|publicaci(?:ón|ones)|currículum|cv|factura|acta|menú|carrito|calendario|citas?|recordatorios?|alarmas?|reservas?|pedidos?|tareas?|manchas?|duplicados|contactos?|filtros?|índice|comentarios? (?:del|de)|descargas?)\\b",
  places: "de|del|en|desde",
  goesOn: "(?:lo|que|todo|dónde|cómo|quién|cuándo|cuánto|mis?|sobre|y (?:lo|que|todo|mis?|el|la|los|las))\\b",
  reasons:
    "(?:porque|ya que|pues|para que|así|no (?:quiero|debí|debería|quisiera|hace falta|lo necesitas)|me (?:da|arrepiento)|(?:él|ella) (?:no|me)|(?:me|te) (?:pidió|pidieron|lo)|si (?:puedes|es posible|no te)|mi \\p{L}{1,24} (?:usa|lee|ve|mira|puede|podría|también|no|utiliza)|para siempre|por privacidad)\\b",
  keeps: [
    "(?:pero |y |sólo |solo ){0,4}(?:guarda|conserva|mantén|deja|recuerda)\\b(?<kept>.*)",
    "(?:pero |y ){0,4}(?<kept>(?:el|la|los|las|mis?|lo|todo) .{0,80}?)\\b(?:puede(?:n|s)? (?:quedar(?:se)?|guardar(?:lo|la)?|seguir)|está(?:n)? bien)\\b.*",
    "(?:pero |sólo |solo ){0,4}(?:no|excepto|salvo|menos)\\b(?<kept>.*)",
  ],
  joins: "y|e|o|ni",
  breaks: "porque|antes de que|ya que|pero|aunque|para que",
  points: "(?:el|la) (?:nuevo|nueva|correcto|correcta|buena|bueno)|es|son|(?:eso|esto) es|ahora (?:es|son)",
  medicine: "pastillas pastilla medicinas medicamentos medicación",
  health:
    "operación operaron cirugía prueba pruebas análisis síntomas salud médico médica médicos diagnóstico enfermedad enfermedades tratamiento terapia resultados alergia alergias",
  belief:
    "religión religioso religiosa fe iglesia creencias política político políticas voto voté votar partido orientación sexualidad",
  money: "sueldo salario precio costo coste herencia alquiler ingresos pago dinero finanzas económica económicas deuda deudas",
  alike: [
    "sueldo salario ingresos gano gana cobro",
    "boda casa casar casarse casado casada matrimonio",
    "cumpleaños nacimiento nací nacer",
    "deuda deudas debo debe",
    "divorcio divorciado divorciada separado separada",
    "embarazo embarazada",
    "bebida bebe beber alcohol alcohólico",
    "nombre llama llamo",
    "muerte murió muerto",
    "trabajo trabajar trabaja empleo",
    "despido despedido despidieron",
    "cárcel prisión preso",
    "voto voté votar votado votó",
  ],
  vague:
    "pronto guardaste apuntaste sabes comentario comentarios parte referente hace falta usted guarde borrarla borrarlo quitarla tengas donde aquí haz siguiente nada lo la el los las de del eso esto aquello todo toda todos todas tema temas asunto asuntos historia cosa cosas rollo dije dicho conté contado confesé escribí escrito mencioné mencionado comenté comentado expliqué hablé compartí di puse mandé que te me se le sobre acerca relacionado referente día otro por favor porfa favor gracias quede ningún ninguna lado parte borra borrar borres elimina eliminar elimines olvida olvidar olvides olvídate guarda guardar guardes guardado recuerda recordar recuerdes memoria registro registros historial notas base datos información detalles detalle conversación conversaciones chat mensaje mensajes vergüenza privado privada personal secreto secreta confianza confidencial quiero quisiera gustaría puedes podrías sabes sepas tienes tengas antes ayer hoy último última anterior ahora ya más nunca nadie alguien otra otros gente no sí mi mis mío mía nuestro era es fue mentira broma error verdad bien mal si también solo sólo completamente siempre definitivamente para con sin un una unos y o debí debería contar decir saber pidió situación problema problemas asistente cuanto cuenta necesario falta necesitas arrepiento",
};
