import { remember } from '@cloister/schema/internal'
import { optionOf } from '../../body/exact/rules.ts'
import type { CallSite } from '../../call-site.ts'
import type { SchemaServices } from '../../context/services.ts'
import { logSafely, type LogOwner } from '../../logging/request-log.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'
import { messageOf } from '../../read-error.ts'
import { kPlan, kState } from '../../symbols.ts'
import type { StrictReason, StrictReport } from '../../types/report.ts'
import { RequestImpl } from '../request.ts'
import type { RequestPart, RoutePlan } from '../route-plan.ts'
import type { RequestState } from '../state.ts'
import { StrictReportOf } from './strict-report.ts'

/** A route, and what `strict` would refuse of it. */
export interface JudgedEntry {
  readonly method: string
  readonly url: string
  readonly callSite: CallSite
  /** a route that the application did not write, such as a HEAD route: it is shown only if something would be refused */
  readonly isImplied: boolean
  requests: number
  readonly counts: Map<StrictReason, number>
  readonly examples: Map<StrictReason, string>
}

/** What `strict` would refuse of the options of a route: the option that refuses it, and the error. */
export interface RouteProblem {
  readonly reason: StrictReason
  readonly error: Error
}

/** What is known of a request, in an app with `strict: 'report'`. */
export interface Seen {
  /** what has been counted; each reason counts once */
  readonly reasons: Set<StrictReason>
  /** input that counts if the request turns out to be valid without `strict` */
  readonly waiting: Map<StrictReason, string>
  isValid: boolean
  /** its parts before validation has changed them */
  parts: ReadonlyMap<RequestPart, unknown> | null
}

/** Counts what `strict` would refuse, in an app with `strict: 'report'`. */
export class Judge {
  /** what compiles the schemas of the app as with `strict` */
  readonly services: SchemaServices
  readonly #logs: LogOwner
  readonly #own: AppOptions
  readonly #ofApp: readonly string[]
  readonly #routes: JudgedEntry[] = []
  readonly #problems = new WeakMap<object, RouteProblem[]>()

  /**
   * @param services - those with the options that `strict` sets
   * @param own - the options of the app
   * @param ofApp - the options of the app that `strict` refuses
   */
  constructor(logs: LogOwner, services: SchemaServices, own: AppOptions, ofApp: readonly string[]) {
    this.#logs = logs
    this.services = services
    this.#own = own
    this.#ofApp = ofApp
  }

  /** The options that `strict` would set. */
  get options(): AppOptions {
    return this.services.options
  }

  /** Adds a route. */
  add(route: Pick<JudgedEntry, 'method' | 'url' | 'callSite' | 'isImplied'>): JudgedEntry {
    const { method, url, callSite, isImplied } = route
    const entry = { method, url, callSite, isImplied, requests: 0, counts: new Map(), examples: new Map() }
    this.#routes.push(entry)
    return entry
  }

  /** Notes that `strict` would refuse the options of a route. */
  addProblem(options: object, problem: RouteProblem): void {
    remember<object, RouteProblem[]>(this.#problems, options, () => []).push(problem)
  }

  problemsOf(options: object): readonly RouteProblem[] {
    return this.#problems.get(options) ?? []
  }

  /** Takes an error about inexact input that only `strict` would refuse; throws any other. */
  refuse(error: Error | null, request: unknown): void {
    if (error === null) return
    const option = optionOf(error)
    if (option === null || this.#own[option] === this.options[option]) throw error
    if (!(request instanceof RequestImpl)) return
    const { isValid, waiting } = seenOf(request)
    if (isValid) this.note(request, option, messageOf(error))
    else if (!waiting.has(option)) waiting.set(option, messageOf(error))
  }

  /** Counts a request or its response, which is accepted without `strict`. */
  note(request: RequestState, reason: StrictReason, message: string): void {
    const { reasons } = seenOf(request)
    if (reasons.has(reason)) return
    reasons.add(reason)
    this.count(request[kPlan].judged?.entry, reason, message)
  }

  /** Counts a request that is valid without `strict`, with what was noted so far. */
  pass({ judged }: RoutePlan, request: RequestState): void {
    const seen = seenOf(request)
    if (seen.isValid || judged === null) return
    seen.isValid = true
    judged.entry.requests++
    for (const [reason, message] of seen.waiting) this.note(request, reason, message)
  }

  /** Adds to the count of a route. The first one is logged. */
  count(entry: JudgedEntry | undefined, reason: StrictReason, message: string): void {
    if (entry === undefined) return
    const { counts, examples, method, url } = entry
    const count = counts.get(reason) ?? 0
    counts.set(reason, count + 1)
    if (count > 0) return
    examples.set(reason, message)
    const callSite = entry.callSite.toString()
    const line = `strict would refuse this at ${method} ${url} (${callSite}), by its option ${reason}: ${message}`
    logSafely(this.#logs, () => this.#logs.logger.warn({ route: `${method} ${url}`, reason, callSite }, line))
  }

  /** Keeps the parts of a request until they are judged. */
  keep(request: RequestState, parts: ReadonlyMap<RequestPart, unknown>): void {
    seenOf(request).parts = parts
  }

  /** Returns the parts that were kept; they are kept no longer. */
  take(request: RequestState): ReadonlyMap<RequestPart, unknown> | null {
    const seen = seenOf(request)
    const { parts } = seen
    seen.parts = null
    return parts
  }

  read(): StrictReport {
    return new StrictReportOf(this.#ofApp, this.#routes)
  }
}

/** The state of a request has this member only here, because a `WeakMap` of all requests costs much at collections. */
function seenOf({ [kState]: state }: RequestState): Seen {
  return (state.seen ??= { reasons: new Set(), waiting: new Map(), isValid: false, parts: null })
}
