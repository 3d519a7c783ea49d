export { type Category, type NamedPerson, type SpokenMessage, type TakenMemory, takeMemories } from "./take-memories.ts";
