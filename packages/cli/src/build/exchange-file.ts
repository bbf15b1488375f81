import type { AppForm } from '../app-form.ts'
import type { Exchange } from '../exchanges/exchange.ts'

/** What a process is asked to do with an app; it reads it as JSON. */
export interface RunOrder {
  /** The module to import. */
  readonly file: string
  /** Methods whose routes run their handlers. Handlers of others are replaced, where the platform allows that. */
  readonly methods: readonly string[]
  /** Whether requests go through `fetch` rather than `inject`. */
  readonly overFetch: boolean
  /** The requests to send; without them they are drawn from the schemas of the app. */
  readonly requests?: readonly PlannedRequest[]
  /** The file for the code cache of the module, which is a script of `asScript`. */
  readonly codeCache?: string
}

/** A route that the app has. */
export interface SeenRoute {
  readonly method: string
  readonly url: string
  readonly callSite: string
}

/** An exchange, with whether a replaced handler has run in it. */
export interface RunExchange extends Exchange {
  readonly isStandIn: boolean
  /** Why there is no response. */
  readonly failure: string | null
}

/** A request to send, with its key. */
export type PlannedRequest = Omit<RunExchange, 'response' | 'isStandIn' | 'failure'>

/** A function that cannot be made ahead. */
export interface SkippedFunction {
  readonly method: string
  readonly url: string
  readonly part: string
  readonly reason: string
}

/** The table of functions that were made ahead. */
export interface Table {
  /** By key: whose function it is. */
  readonly entries: Readonly<Record<string, Omit<SkippedFunction, 'reason'>>>
  readonly skipped: readonly SkippedFunction[]
  /** The module that has the functions. */
  readonly text: string
  /** The module of a sealed build, which refers to a table `ROUTES`. */
  readonly sealed: string
}

/** The numbers of the probes that ran: while the app started, and afterwards. */
export interface RanSpots {
  readonly start: readonly number[]
  readonly later: readonly number[]
}

/** What a process found out; it writes it as JSON. */
export interface RunReport {
  readonly form: AppForm | null
  readonly routes: readonly SeenRoute[]
  /** Whether a route takes WebSockets of `@cloister/websocket`. */
  readonly takesSockets: boolean
  readonly exchanges: readonly RunExchange[]
  /** Only of a bundle that records. */
  readonly table: Table | null
  /** The packages of `LAZY_PACKAGES` that were loaded. */
  readonly loaded: readonly string[]
  /** Only of a bundle that has probes. */
  readonly ran: RanSpots
  /** What the framework warned of until the app was ready. */
  readonly warnings: readonly string[]
  /** How many apps have not started. */
  readonly idle: number
  /** Why the app does not start. */
  readonly failure: string | null
}
