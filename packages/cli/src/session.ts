/** Exit code: 0 done, 1 nothing found or a check failed, 2 wrong usage, 3 the app cannot be loaded or started. */
export type ExitCode = 0 | 1 | 2 | 3

/** One run of the command: where it runs, where its texts go, and what it comes to. */
export interface Session {
  /** The folder from which files are found, and to which their paths are printed. */
  readonly folder: string
  /** Writes to the standard output. */
  out(text: string): void
  /** Writes to the standard error. */
  err(text: string): void
  /** Sets the exit code; 0 until then. */
  exit(code: ExitCode): void
}

/** An error that ends a command with a message for people. */
export class CommandError extends Error {
  readonly code: 1 | 2 | 3

  constructor(code: 1 | 2 | 3, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
