import type { SlotWords } from "#core/language/pack";

export const SPANISH_SLOTS: SlotWords = {
  home: "\\bya no viv(?:o|imos) (?:en|con)\\b|\\b(?:me mudé|nos mudamos|me he mudado|nos hemos mudado) (?:a|con|al) ",
  work: "\\b(?:dejé|he dejado|dejado) (?:el|mi) (?:trabajo|curro|empleo)\\b|\\b(?:me despidieron|me han despedido|renuncié)\\b|\\b(?:nuevo trabajo|nuevo curro|nuevo empleo)\\b|\\bya no trabajo\\b|\\b(?:empiezo|empecé) (?:en|de|como) ",
  diet: "\\bya no soy (?:vegetarian[oa]|vegan[oa])\\b|\\bme (?:hice|he hecho|volví) (?:vegetarian[oa]|vegan[oa])\\b|\\bvuelvo a comer carne\\b",
  partner:
    "\\b(?:lo hemos dejado|lo dejamos|rompimos|hemos roto|me separé|nos separamos|me divorcié|nos divorciamos|estoy solter[oa]|vuelvo a estar solter[oa]|otra vez solter[oa])\\b|\\b(?:nos casamos|me casé|me he casado|estoy saliendo con|estoy casad[oa])\\b",
  called: "\\bllámame \\p{L}",
  language:
    "\\b(?:responde|respóndeme|contesta|contéstame|escribe|háblame|habla)\\b[^.!?]{0,60}(?<!\\p{L})en (?:español|inglés|alemán|francés|italiano|portugués)\\b",
  emoji: "\\b(?:emojis?|caritas)\\b",
  length: "\\brespuestas?\\b[^.!?]{0,60}(?<!\\p{L})(?:cortas?|breves?|largas?|detalladas?)\\b",
  address: "\\b(?:tutéame|tutear|de usted|de tú)\\b",
  unreal: "\\b(?:casi|soñé|soñaba|pensé en|pensaba|pienso|quería|quisiera|podría|por unos días)\\b",
  returned: "\\b(?:de vuelta|otra vez|de nuevo|he vuelto|vuelvo|volví)\\b",
  conditional: "\\b(?:cuando|si|mientras)\\b",
};
