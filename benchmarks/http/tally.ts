/**
 * What an application did beside responding, so that the runner can compare the work of two servers: equal responses
 * are no proof that the hooks ran or that the lines were written.
 */
export interface Tally {
  /** runs of the four hooks */
  hooks: number
  /** lines that the logger wrote */
  lines: number
  /** spans that have ended */
  spans: number
}

/** Takes the lines of a logger, counts them and keeps nothing. */
export function nullStream(tally: Tally): { write(line: string): void } {
  return {
    write() {
      tally.lines += 1
    },
  }
}
