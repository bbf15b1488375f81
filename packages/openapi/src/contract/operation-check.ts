import { loadFastCheck } from '../packages.ts'
import { toCurl, writeRequest } from './encode.ts'
import type { WrittenRequest } from './encode.ts'
import type { Finding, ReceivedResponse, ResponseJudge } from './judge.ts'
import type { CheckedApp, ContractOptions } from './options.ts'
import type { DrawnRequest, LocatedOperation, RequestMaker } from './requests.ts'
import { send } from './send.ts'

const DEFAULT_RUNS = 20
const DEFAULT_TIMEOUT = 5000
/** The maximum number of different problems that are reported for one operation. */
const MAX_PROBLEMS = 8
/** The maximum number of requests to find the smallest one that shows a problem. */
const MAX_ATTEMPTS = 100

/** A problem, with the smallest request that shows it. */
export interface ShownProblem {
  readonly finding: Finding
  readonly curl: string
}

/** What the checks of all operations share. */
export interface CheckParts {
  readonly app: CheckedApp
  readonly options: ContractOptions
  readonly seed: number
  readonly judge: ResponseJudge
}

interface Search {
  smallest: { readonly finding: Finding; readonly written: WrittenRequest; readonly key: string } | null
  attempts: number
}

/** Checks one operation. */
export class OperationCheck {
  readonly #fc: typeof import('fast-check') = loadFastCheck()
  readonly #parts: CheckParts
  readonly #located: LocatedOperation
  readonly #maker: RequestMaker
  readonly #seen = new Set<string>()
  #hasTimedOut = false
  requests = 0
  /** How many drawn requests were invalid if none was valid; otherwise `null`. */
  unusable: number | null = null

  constructor(parts: CheckParts, located: LocatedOperation, maker: RequestMaker) {
    this.#parts = parts
    this.#located = located
    this.#maker = maker
  }

  /** Finds the problems of the operation, first with valid requests, then with invalid ones. */
  async run(): Promise<ShownProblem[]> {
    const problems: ShownProblem[] = []
    const invalid = this.#parts.options.invalid === false ? null : this.#maker.invalid()
    for (const requests of [this.#maker.valid(), invalid, this.#maker.anonymous()]) {
      if (requests === null) continue
      // Each round ignores the known problems, and finds one more.
      for (let round = 0; round < MAX_PROBLEMS && !this.#hasTimedOut; round += 1) {
        const found = await this.#findNext(requests)
        if (found === null) break
        problems.push(found)
      }
    }
    return problems
  }

  async #findNext(requests: ReturnType<RequestMaker['valid']>): Promise<ShownProblem | null> {
    const { options, seed } = this.#parts
    const search: Search = { smallest: null, attempts: 0 }
    const property = this.#fc.asyncProperty(requests, async (request) => {
      this.#fc.pre(request.broken !== null || this.#maker.isValid(request.values))
      return this.#passes(request, search)
    })
    const numRuns = options.runs ?? DEFAULT_RUNS
    const { failed, numSkips } = await this.#fc.check(property, { numRuns, seed, maxSkipsPerRun: 50 })
    const { smallest } = search
    if (smallest === null) {
      if (failed) this.unusable = numSkips
      return null
    }
    this.#seen.add(smallest.key)
    return { finding: smallest.finding, curl: toCurl(smallest.written) }
  }

  /** Sends a request. It passes if its response shows no new problem. */
  async #passes(request: DrawnRequest, search: Search): Promise<boolean> {
    const { app, options, judge } = this.#parts
    if (this.#hasTimedOut || search.attempts >= MAX_ATTEMPTS) return true
    if (search.smallest !== null) search.attempts += 1
    const written = writeRequest(request.values, request.isAnonymous ? {} : (options.headers ?? {}))
    this.requests += 1
    const response = await send(app, written, options.timeout ?? DEFAULT_TIMEOUT)
    const isLate = 'kind' in response
    const findings = isLate ? [response] : judge.findingsOf(this.#located, request, response)
    const finding = findings.find((one) => !this.#seen.has(keyOf(one, response)))
    if (finding === undefined) return true
    const key = keyOf(finding, response)
    if (search.smallest !== null && search.smallest.key !== key) return true
    this.#hasTimedOut = isLate
    search.smallest = { finding, written, key }
    return false
  }
}

/** Two responses with the same key show the same problem. */
function keyOf({ kind, text }: Finding, response: ReceivedResponse | Finding): string {
  const status = 'status' in response ? response.status : ''
  return kind === 'invalid-accepted' ? `${kind} ${text}` : `${kind} ${status}`
}
