/** The build of mammoth that needs nothing of Node: the same file runs in Workers and in tests. */
declare module "mammoth/mammoth.browser.min.js" {
  import mammoth from "mammoth";

  export default mammoth;
}
