/** One result of `cloister doctor`. */
export interface Finding {
  /** A `problem` fails the command; a `note` does not. */
  readonly level: 'problem' | 'note'
  readonly check:
    | 'start'
    | 'installed'
    | 'options'
    | 'warnings'
    | 'schemas'
    | 'guards'
    | 'strict'
    | 'differences'
  /** Code of the error or warning, or the name of the difference. */
  readonly code: string
  /** What is wrong, and what to do. */
  readonly message: string
  /** `file:line`; `null` if unknown, or already part of the message. */
  readonly callSite: string | null
}
