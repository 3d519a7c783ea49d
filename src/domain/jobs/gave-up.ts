/** Says that another try cannot help: the job fails at once, with this reason, in our own words, and waits for a person. */
export class GaveUp extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "GaveUp";
  }
}
