import type { WordClasses } from "#core/language/pack";

export const SPANISH_WORDS: WordClasses = {
  me: "yo mi mis me mio mia conmigo soy estoy tengo voy trabajo vivo",
  us: "nosotros nosotras nos nuestro nuestra nuestros nuestras somos estamos tenemos vamos",
  you: "tu tus te ti usted vos contigo sos eres",
  third: "el ella ellos ellas su sus le les",
  kin: "mujer esposa esposo marido pareja novia novio prometida madre mama mami vieja padre papa papi viejo hermana hermano hija hijo hijos hijas nene nena bebe gemelos primo prima tio tia sobrina sobrino abuela abuelo abuelos nieto nieta suegra suegro cunada cunado jefa jefe colega companera companero vecina vecino casera casero profe profesora profesor medico medica dentista terapeuta amiga amigo amigos padres familia ex peque chamaco chamaca",
  pet: "perro perra perrito gato gata gatito conejo caballo loro gallinas cabra vaca vacas cachorro",
  not: "no nunca jamas ni sin tampoco nada nadie ningun ninguna",
  change:
    "ya ahora desde mas nuevo nueva deje dejo cambie cambio mude mudamos empece empiezo empieza termine aprobe compre vendi separe separamos hasta por fin ultimamente",
  time: "lunes martes miercoles jueves viernes sabado sabados domingo domingos enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre manana hoy ayer semana semanas mes meses ano anos dia dias noche noches tarde finde verano invierno primavera otono proximo proxima pasado pasada cumple cumpleanos hora horas",
  always: "siempre cada todos todas solo solamente normalmente porfa favor suelo suele diario",
  ask: "que cual cuales como por cuando donde quien cuanto cuanta puedes podes podrias debo hay",
  order:
    "escribe escribi escribeme traduce traduceme traducime haz hazme haceme dame dime decime explica explicame resume resumi corrige corregi crea inventa lista muestra busca ayudame calcula convierte imagina finge",
  text: "poema cuento historia cancion letra carta correo texto ensayo frase oracion dialogo escena cita articulo discurso chiste adivinanza receta codigo error plantilla personaje novela mensaje",
  if: "si supongamos imagina hipoteticamente ojala quizas quiza capaz tal vez",
  say: "dice dijo dicen segun cuenta conto piensa creen escribio parece",
  like: "gusta gustan encanta encantan odio prefiero amo fascina favorito favorita detesto alergico alergica",
  health:
    "alergia alergias asma diabetes diabetica diabetico celiaca celiaco embarazada epilepsia tdah autismo dislexia ansiedad depresion cancer cirugia operacion operan operaron pastillas medicacion insulina hospital diagnosticaron migranas artritis vegana vegano vegetariana vegetariano gluten lactosa intolerante rodilla cadera dolor dialisis ciega ciego sorda sordo terapia",
  work: "trabaja curro chamba laburo laburar turno turnos oficina empresa equipo tienda escuela cole colegio uni universidad carrera curso examen enfermera enfermero cliente clientes negocio proyecto contrato entrevista sueldo alquiler renta jubilado jubilada taller local",
  home: "vive vivimos casa piso depto departamento cuarto ciudad pueblo barrio calle mudanza",
  have: "tiene tienen tenia hemos he ha",
  be: "es son esta estan era fue",
  thanks: "gracias ok vale jaja jajaja hola buenas buenos adios genial perfecto bueno dale listo",
};
