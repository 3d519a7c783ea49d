import { AppError } from "#core/errors";

/** A file that cannot be read, now or later. The message is shown to whoever uploaded it and holds nothing of the file's content. */
export class UnreadableFile extends AppError {
  constructor(message: string, cause?: unknown) {
    super("unprocessable", message, cause === undefined ? {} : { cause });
    this.name = "UnreadableFile";
  }
}
