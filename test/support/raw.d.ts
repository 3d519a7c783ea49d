/** A file's text, as the test bundler imports it. */
declare module "*?raw" {
  const text: string;
  export default text;
}
