export { EdgewiseStore, type EdgewiseStoreOptions } from "./edgewise-store.ts";
