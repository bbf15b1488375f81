import type { CloisterRequest } from 'cloister'

import { defined, isRecord, oneOf, problemOf, required, rule, RULES } from '../options.ts'
import type { State } from '../types.ts'
import { IdempotencyOptionError } from './errors.ts'

/** The caller of a request: a user's or tenant's id. */
export type IdempotencyScope = (
  request: CloisterRequest,
) => string | null | undefined | Promise<string | null | undefined>

/** The options that a route can change. */
export interface IdempotencyParts {
  /**
   * Returns the caller of a request, whose keys are apart from those of others; or `'public'`, where any client may get
   * the response to a key that it guesses. A request without a caller is an error (`CLO_ERR_IDEMPOTENCY_SCOPE`).
   */
  readonly scope?: 'public' | IdempotencyScope
  /**
   * The header of the key, or a function that returns it.
   *
   * @default 'idempotency-key'
   */
  readonly key?: string | ((request: CloisterRequest) => string | null | undefined)
  /**
   * Whether requests must have a key; others run as if the route were not idempotent.
   *
   * @default false
   */
  readonly required?: boolean
  /**
   * How long a response is kept, in milliseconds.
   *
   * @default 86_400_000
   */
  readonly ttlMs?: number
  /**
   * After how many milliseconds the key of a process that died is free again. A running request prolongs it.
   *
   * @default 30_000
   */
  readonly holdMs?: number
  /**
   * The largest body of a response that is kept, in bytes; of others, only that the request was done.
   *
   * @default 65_536
   */
  readonly maxBytes?: number
  /**
   * What happens to requests with a key while the state fails: 503, or they run without protection.
   *
   * @default 'refuse'
   */
  readonly onStateFailure?: 'refuse' | 'allow'
}

/** Options of the plugin. */
export interface IdempotencyOptions extends IdempotencyParts {
  /** Where requests and responses are kept. */
  readonly state: State
}

declare module 'cloister' {
  /** The option of this package. */
  interface RouteShorthandOptions {
    /** Makes the route idempotent, with the options of the plugin or with changes to them. */
    readonly idempotency?: boolean | IdempotencyParts
  }
}

/** The checked options of a route. */
export interface IdempotencySettings extends Required<Omit<IdempotencyOptions, 'key'>> {
  readonly keyOf: (request: CloisterRequest) => string | null | undefined
  readonly keyName: string
}

/** The most bytes of a body in a record, which must fit into a value of a state also in base64. */
const MAX_BYTES = 524_288

const PARTS = {
  scope: rule(
    "a function that returns the caller, or 'public'",
    (value) => typeof value === 'function' || value === 'public',
  ),
  key: rule(
    'the name of a header, or a function',
    (value) =>
      typeof value === 'function' || (typeof value === 'string' && /^[!#$%&'*+\-.^_`|~\da-z]+$/i.test(value)),
  ),
  required: RULES.flag,
  ttlMs: RULES.ms,
  holdMs: RULES.timer,
  maxBytes: rule(
    `a whole number from 1 to ${MAX_BYTES}`,
    (value) => RULES.count.accepts(value) && Number(value) <= MAX_BYTES,
  ),
  onStateFailure: oneOf('refuse', 'allow'),
}

const OF_PLUGIN = { ...PARTS, state: required(RULES.state) }

/** @throws IdempotencyOptionError `CLO_ERR_IDEMPOTENCY_OPTION` */
export function assertPluginOptions(given: IdempotencyOptions): void {
  const problem = problemOf(given, OF_PLUGIN, '')
  if (problem !== null) throw new IdempotencyOptionError('CLO_ERR_IDEMPOTENCY_OPTION', problem)
}

/**
 * Returns the settings of a route.
 *
 * @param label - of the route, for messages
 * @throws IdempotencyOptionError `CLO_ERR_IDEMPOTENCY_ROUTE`
 */
export function settingsOf(plugin: IdempotencyOptions, given: unknown, label: string): IdempotencySettings {
  const refuse = (problem: string): IdempotencyOptionError =>
    new IdempotencyOptionError('CLO_ERR_IDEMPOTENCY_ROUTE', `${problem} (${label})`)
  const own: IdempotencyParts = isRecord(given) ? given : {}
  const problem = given === true ? null : problemOf(given, PARTS, 'idempotency.')
  if (problem !== null) throw refuse(problem)
  const {
    state,
    scope,
    key = 'idempotency-key',
    required: isRequired = false,
    ttlMs = 86_400_000,
    holdMs = 30_000,
    maxBytes = 65_536,
    onStateFailure = 'refuse',
  } = { ...plugin, ...defined(own) }
  if (scope === undefined)
    throw refuse(
      "the option 'scope' is missing: a function that returns the caller, such as (request) => request.user.id, so that no caller gets the response of another; or 'public'",
    )
  const keyOf = typeof key === 'function' ? key : headerReader(key.toLowerCase())
  const keyName = typeof key === 'function' ? 'key' : `header '${key}'`
  return { state, scope, keyOf, keyName, required: isRequired, ttlMs, holdMs, maxBytes, onStateFailure }
}

function headerReader(name: string) {
  return ({ headers }: CloisterRequest): string | undefined => {
    const value: unknown = headers[name]
    return value === undefined ? undefined : String(value)
  }
}
