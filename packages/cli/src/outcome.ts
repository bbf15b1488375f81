/** What a command comes to. */
export interface Outcome {
  /** Exit code: 0 done, 1 nothing found, 2 wrong usage, 3 the app cannot be loaded. */
  readonly code: 0 | 1 | 2 | 3
  /** Text for the standard output; ends with a line feed, or is empty. */
  readonly output: string
  /** Text for the standard error; ends with a line feed, or is empty. */
  readonly errors: string
}

/** An error that ends a command with a message for people. */
export class CommandError extends Error {
  readonly code: 2 | 3

  constructor(code: 2 | 3, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
