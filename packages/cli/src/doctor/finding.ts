/** One thing that `cloister doctor` has found. */
export interface Finding {
  /** A `problem` fails the command; a `note` does not. */
  readonly level: 'problem' | 'note'
  /** The name of the check that found it. */
  readonly check: 'start' | 'options' | 'warnings' | 'schemas' | 'differences'
  /** Code of the error or warning, or the name of the difference. */
  readonly code: string
  /** What is the matter, and what to do. */
  readonly message: string
  /** `file:line`; `null` where the message itself has it, or there is none. */
  readonly callSite: string | null
}
