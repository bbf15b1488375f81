import type { ProblemKind } from './judge.ts'

/** A difference between an app and its document. */
export interface ContractProblem {
  /** What is wrong. */
  readonly kind: ProblemKind
  /** The description of the difference. */
  readonly message: string
  /** Method and path of the operation, as in `GET /users/{id}`. */
  readonly operation: string
  /** `file:line` of the route; `null` if unknown. */
  readonly callSite: string | null
  /** The request, as a command line of curl. */
  readonly curl: string
}

/** What was checked. */
export interface ContractReport {
  /** The seed; the same seed draws the same requests. */
  readonly seed: number
  /** How many operations were checked. */
  readonly operations: number
  /** How many requests were sent. */
  readonly requests: number
  /** The operations for which no request could be drawn, each with the reason. */
  readonly skipped: readonly string[]
  /** The differences that were found. */
  readonly problems: readonly ContractProblem[]
}

/** An app differs from its document. */
export class ContractError extends Error {
  override readonly name: string = 'ContractError'
  /** What was checked, and the differences. */
  readonly report: ContractReport

  /** Creates the error, with a message that lists the differences. */
  constructor(report: ContractReport) {
    super(messageOf(report))
    this.report = report
  }
}

function messageOf({ problems, seed, requests }: ContractReport): string {
  const list = problems.map(
    ({ operation, callSite, message, curl }, index) =>
      `${index + 1}. ${operation}${callSite === null ? '' : ` (${callSite})`}\n   ${message}\n   ${curl}`,
  )
  const count = `${problems.length} ${problems.length === 1 ? 'difference' : 'differences'}`
  return `the app differs from its document: ${count} in ${requests} requests; seed ${seed} repeats them\n\n${list.join('\n\n')}\n`
}
