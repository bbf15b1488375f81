import type { Paper } from './text.ts'

/**
 * Exit code: 0 done, 1 nothing found or a check failed, 2 wrong usage, 3 a file is missing, or the app cannot be
 * loaded or started.
 */
export type ExitCode = 0 | 1 | 2 | 3

/** The folder and the outputs of one run of a command. */
export interface Place extends Paper {
  out(text: string): void
  err(text: string): void
}

/** One run of a command: its folder, its outputs and its exit code. */
export interface Session extends Place {
  /** Sets the exit code; the default is 0. */
  exit(code: ExitCode): void
}

/** An error that ends a command with a message for the user. */
export class CommandError extends Error {
  readonly code: 1 | 2 | 3

  constructor(code: 1 | 2 | 3, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
