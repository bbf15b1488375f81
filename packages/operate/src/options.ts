import { OperateError } from './errors.ts'
import type { Check, Meter, OperateOptions, Registry, SheddingLimits, TimedCheck } from './types.ts'

/** The checked options with their defaults. */
export interface Settings {
  readonly live: string | false
  readonly ready: string | false
  readonly metrics: string | false
  readonly checks: Readonly<Record<string, Check | TimedCheck>>
  readonly checkTimeoutMs: number
  readonly checkCacheMs: number
  readonly drainMs: number
  readonly signals: readonly NodeJS.Signals[]
  readonly shedding: SheddingLimits
  readonly meter: Meter | null
  readonly registry: Registry | null
}

interface Rule {
  readonly wanted: string
  readonly accepts: (value: unknown) => boolean
}

/** The longest delay of a Node timer. */
const MAX_MS = 2_147_483_647

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const hasMethods = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof Reflect.get(value, name) === 'function')

const path: Rule = {
  wanted: "a path that begins with '/', or false",
  accepts: (value) => value === false || (typeof value === 'string' && value.startsWith('/')),
}
const count = (wanted: string, least: number, most = Number.MAX_SAFE_INTEGER): Rule => ({
  wanted,
  accepts: (value) => typeof value === 'number' && value >= least && value <= most,
})
const time = count(`a number of milliseconds from 1 to ${MAX_MS}`, 1, MAX_MS)
const timeOrNone = count(`a number of milliseconds from 0 to ${MAX_MS}`, 0, MAX_MS)

const SHEDDING: Readonly<Record<keyof SheddingLimits, Rule>> = {
  eventLoopDelayMs: time,
  heapUsedBytes: count('a number of bytes from 1 on', 1),
  openRequests: count('a number from 1 on', 1),
  retryAfterS: count('a number of seconds from 0 on', 0),
}

const TIMED_CHECK: Readonly<Record<keyof TimedCheck, Rule>> = {
  check: { wanted: 'a function', accepts: (value) => typeof value === 'function' },
  timeoutMs: time,
  cacheMs: timeOrNone,
}

const OPTIONS: Readonly<Record<keyof OperateOptions, Rule>> = {
  live: path,
  ready: path,
  metrics: path,
  checks: { wanted: 'an object with a check for each name', accepts: isRecord },
  checkTimeoutMs: time,
  checkCacheMs: timeOrNone,
  drainMs: timeOrNone,
  signals: {
    wanted: "a list of signals, such as ['SIGTERM'], or false",
    accepts: (value) =>
      value === false ||
      (Array.isArray(value) && value.every((one) => typeof one === 'string' && one.startsWith('SIG'))),
  },
  shedding: { wanted: 'an object with limits', accepts: isRecord },
  meter: {
    wanted: "a meter of @opentelemetry/api, as in metrics.getMeter('my-app')",
    accepts: (value) =>
      hasMethods(value, ['createHistogram', 'createCounter', 'createObservableUpDownCounter']),
  },
  registry: {
    wanted: 'a registry of prom-client, as in its register',
    accepts: (value) => hasMethods(value, ['metrics']),
  },
}

/**
 * Checks the options of the plugin, and sets the defaults.
 *
 * @throws OperateError `CLO_ERR_OPERATE_OPTION`
 */
export function checkOptions(given: OperateOptions): Settings {
  assertRules(given, OPTIONS, '')
  assertRules(given.shedding ?? {}, SHEDDING, 'shedding.')
  return {
    live: given.live ?? '/live',
    ready: given.ready ?? '/ready',
    metrics: given.metrics ?? '/metrics',
    checks: given.checks ?? {},
    checkTimeoutMs: given.checkTimeoutMs ?? 1000,
    checkCacheMs: given.checkCacheMs ?? 1000,
    drainMs: given.drainMs ?? 5000,
    signals: given.signals === false ? [] : (given.signals ?? ['SIGTERM']),
    shedding: given.shedding ?? {},
    meter: given.meter ?? null,
    registry: given.registry ?? null,
  }
}

/**
 * Normalizes a check, with its times.
 *
 * @throws OperateError `CLO_ERR_OPERATE_OPTION`
 */
export function checkTimes(
  name: string,
  given: Check | TimedCheck,
  { checkTimeoutMs, checkCacheMs }: Settings,
): Required<TimedCheck> {
  if (!isRecord(given) && typeof given !== 'function') {
    throw invalid(`checks.${name}`, "a function, or an object with the function 'check'", given)
  }
  const timed = typeof given === 'function' ? { check: given } : given
  assertRules(timed, TIMED_CHECK, `checks.${name}.`)
  if (timed.check === undefined) throw invalid(`checks.${name}.check`, 'a function', undefined)
  return { timeoutMs: checkTimeoutMs, cacheMs: checkCacheMs, ...timed }
}

function assertRules(given: object, rules: Readonly<Record<string, Rule>>, prefix: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) {
      const known = Object.keys(rules).map((one) => prefix + one)
      throw new OperateError(
        'CLO_ERR_OPERATE_OPTION',
        `@cloister/operate has no option '${prefix}${name}'; its options are ${known.join(', ')}`,
      )
    }
    if (!rule.accepts(value)) throw invalid(prefix + name, rule.wanted, value)
  }
}

function invalid(name: string, wanted: string, value: unknown): OperateError {
  const got = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value))
  return new OperateError(
    'CLO_ERR_OPERATE_OPTION',
    `the option '${name}' of @cloister/operate must be ${wanted}; got ${got}`,
  )
}
