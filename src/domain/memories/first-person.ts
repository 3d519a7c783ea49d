/** Words by which a speaker means themselves alone, in the languages of the question analysis. */
const FIRST_PERSON =
  /(?<!\p{L})(?:i|i'm|i’m|me|my|mine|myself|ich|mich|mir|mein\p{L}*|je|j'\p{L}+|j’\p{L}+|moi|mon|ma|mes|yo|mi|mis|mío|mía|io|mio|mia|miei|eu|meu|minha|ik|mijn|jag|min|mitt|я|меня|мне|мой|моя|моё|мои)(?!\p{L})|我|私|僕|俺|ฉัน|ผม|أنا/iu;

/** Whether who says this speaks of themselves. */
export function isFirstPerson(text: string): boolean {
  return FIRST_PERSON.test(text);
}
