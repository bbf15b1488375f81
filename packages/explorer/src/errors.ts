/** The codes of an {@link ExplorerError}. */
export type ExplorerErrorCode = 'CLO_ERR_EXPLORER_PRODUCTION' | 'CLO_ERR_EXPLORER_OPTION'

/** An error of the explorer; it ends the boot. */
export class ExplorerError extends Error {
  /** What is wrong. */
  readonly code: ExplorerErrorCode

  constructor(code: ExplorerErrorCode, message: string) {
    super(message)
    this.name = 'ExplorerError'
    this.code = code
  }
}
