/**
 * Checks something that the app depends on. It fails when it throws, rejects or returns false. The signal aborts at
 * the timeout of the check.
 */
export type Check = (signal: AbortSignal) => unknown

/** A check with its own times. */
export interface TimedCheck {
  /** The check. */
  readonly check: Check
  /**
   * How long it may take, in milliseconds.
   *
   * @default the option `checkTimeoutMs`
   */
  readonly timeoutMs?: number
  /**
   * How long its result is cached, in milliseconds.
   *
   * @default the option `checkCacheMs`
   */
  readonly cacheMs?: number
}

/** Limits above which requests get the status 503. Omitted limits do not apply. */
export interface SheddingLimits {
  /** How long the event loop may be blocked, in milliseconds. */
  readonly eventLoopDelayMs?: number
  /** How many bytes of the heap may be in use. */
  readonly heapUsedBytes?: number
  /** How many requests may be open at once. A WebSocket is no open request after its handshake. */
  readonly openRequests?: number
  /**
   * The seconds that clients should wait, sent as `Retry-After`.
   *
   * @default 1
   */
  readonly retryAfterS?: number
}

/** Options of the plugin. */
export interface OperateOptions {
  /**
   * Path of the liveness probe; `false` disables it.
   *
   * @default '/live'
   */
  readonly live?: string | false
  /**
   * Path of the readiness probe; `false` disables it.
   *
   * @default '/ready'
   */
  readonly ready?: string | false
  /**
   * Path of the metrics as Prometheus text; `false` disables it.
   *
   * @default '/metrics'
   */
  readonly metrics?: string | false
  /** Checks that must pass for the app to be ready, by name. */
  readonly checks?: Readonly<Record<string, Check | TimedCheck>>
  /**
   * How long a check may take, in milliseconds.
   *
   * @default 1000
   */
  readonly checkTimeoutMs?: number
  /**
   * How long the result of a check is cached, in milliseconds.
   *
   * @default 1000
   */
  readonly checkCacheMs?: number
  /**
   * How long the app serves requests while `/ready` fails, before it closes, in milliseconds. Choose more than the
   * time in which your load balancer notices the failure.
   *
   * @default 5000
   */
  readonly drainMs?: number
  /**
   * The signals that drain the app and end the process; `false` disables them.
   *
   * @default ['SIGTERM']
   */
  readonly signals?: readonly NodeJS.Signals[] | false
  /** Limits above which requests get the status 503. */
  readonly shedding?: SheddingLimits
  /** A meter of `@opentelemetry/api` that also gets the metrics: `metrics.getMeter('my-app')`. */
  readonly meter?: Meter
  /** The `register` of `prom-client`, whose metrics are appended. */
  readonly registry?: Registry
}

/** The API of the plugin on the instance, as `app.operate`. */
export interface Operation {
  /** How many requests are open; a WebSocket is none after its handshake. */
  readonly openRequests: number
  /** Whether the app is draining: `/ready` fails, and the app closes soon. */
  readonly isDraining: boolean
  /**
   * Adds a readiness check.
   *
   * @throws OperateError `CLO_ERR_OPERATE_CHECK` if the name is taken
   */
  addCheck(name: string, check: Check | TimedCheck): void
  /** Runs the readiness checks, or returns their cached results. */
  checkReadiness(): Promise<Readiness>
  /** Returns the metrics as Prometheus text, including those of the option `registry`. */
  metricsText(): Promise<string>
  /** Makes `/ready` fail, waits `drainMs`, and closes the app; the process does not end. */
  drain(): Promise<void>
}

/** Whether the app is ready, with the results of the checks. */
export interface Readiness {
  /** Whether the app serves requests, drains, or has a failing check. */
  readonly status: 'ready' | 'draining' | 'failing'
  /** The result of each check. */
  readonly checks: Readonly<Record<string, CheckResult>>
}

/** The result of a check: `late` if it exceeded its timeout. */
export type CheckResult = 'ok' | 'failed' | 'late'

/** The members of a meter that the plugin uses, as in `@opentelemetry/api`. */
export interface Meter {
  /** Creates a histogram. */
  createHistogram(name: string, options: HistogramOptions): Histogram
  /** Creates a counter. */
  createCounter(name: string, options: InstrumentOptions): Counter
  /** Creates a sum that is read when metrics are collected. */
  createObservableUpDownCounter(name: string, options: InstrumentOptions): ObservableSum
  /** Creates a counter that is read when metrics are collected; needed for apps with `strict: 'report'`. */
  createObservableCounter?(name: string, options: InstrumentOptions): ObservableSum
}

/** Options of an instrument of OpenTelemetry. */
export interface InstrumentOptions {
  /** What it measures. */
  readonly description: string
  /** Its unit. */
  readonly unit: string
}

/** Options of a histogram of OpenTelemetry. */
export interface HistogramOptions extends InstrumentOptions {
  /** Hints for the SDK. */
  readonly advice: {
    /** The bounds of the buckets. */
    explicitBucketBoundaries: number[]
  }
}

/** Attributes of a measurement. */
export interface MetricAttributes {
  /** The value of an attribute. */
  readonly [name: string]: string | number
}

/** A histogram of OpenTelemetry. */
export interface Histogram {
  /** Records a value. */
  record(value: number, attributes: MetricAttributes): void
}

/** A counter of OpenTelemetry. */
export interface Counter {
  /** Adds to the counter. */
  add(value: number, attributes: MetricAttributes): void
}

/** An observable sum of OpenTelemetry. */
export interface ObservableSum {
  /** Adds a function that is called when metrics are collected. */
  addCallback(callback: Observe): void
  /** Removes a function that was added. */
  removeCallback(callback: Observe): void
}

/** Called when metrics are collected. */
export type Observe = (result: {
  /** Sets the value. */
  observe(value: number, attributes?: MetricAttributes): void
}) => void

/** The member of a registry that the plugin uses, as in `prom-client`. */
export interface Registry {
  /** Returns its metrics as Prometheus text. */
  metrics(): Promise<string>
}
