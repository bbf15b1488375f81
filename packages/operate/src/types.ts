/**
 * Says whether something that the app needs works. It fails when it throws, rejects or returns false. The signal aborts
 * when the time of the check is over.
 */
export type Check = (signal: AbortSignal) => unknown

/** A check with times of its own. */
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
   * For how long its result counts, in milliseconds.
   *
   * @default the option `checkCacheMs`
   */
  readonly cacheMs?: number
}

/** Limits above which requests get the status 503. A limit that is left out does not hold. */
export interface SheddingLimits {
  /** How long the event loop may be blocked, in milliseconds. */
  readonly eventLoopDelayMs?: number
  /** How many bytes of the heap may be in use. */
  readonly heapUsedBytes?: number
  /** How many requests may be open at once. */
  readonly openRequests?: number
  /**
   * The seconds that `Retry-After` tells clients to wait.
   *
   * @default 1
   */
  readonly retryAfterS?: number
}

/** Options of the plugin. */
export interface OperateOptions {
  /**
   * Path of the liveness probe; `false` for none.
   *
   * @default '/live'
   */
  readonly live?: string | false
  /**
   * Path of the readiness probe; `false` for none.
   *
   * @default '/ready'
   */
  readonly ready?: string | false
  /**
   * Path of the metrics as Prometheus text; `false` for none.
   *
   * @default '/metrics'
   */
  readonly metrics?: string | false
  /** What must work for the app to be ready, by name. */
  readonly checks?: Readonly<Record<string, Check | TimedCheck>>
  /**
   * How long a check may take, in milliseconds.
   *
   * @default 1000
   */
  readonly checkTimeoutMs?: number
  /**
   * For how long the result of a check counts, in milliseconds.
   *
   * @default 1000
   */
  readonly checkCacheMs?: number
  /**
   * For how long the app serves requests while `/ready` fails, before it closes, in milliseconds. Choose more than the
   * time in which your load balancer sees the failure.
   *
   * @default 5000
   */
  readonly drainMs?: number
  /**
   * The signals that drain the app and end the process; `false` for none.
   *
   * @default ['SIGTERM']
   */
  readonly signals?: readonly NodeJS.Signals[] | false
  /** Limits above which requests get the status 503. */
  readonly shedding?: SheddingLimits
  /** A meter of `@opentelemetry/api` that gets the metrics too: `metrics.getMeter('my-app')`. */
  readonly meter?: Meter
  /** A registry of `prom-client`, whose metrics follow ours: its `register`. */
  readonly registry?: Registry
}

/** What the plugin adds to the instance, as `app.operate`. */
export interface Operation {
  /** How many requests are open. */
  readonly openRequests: number
  /** Whether the app drains: `/ready` fails, and the app closes soon. */
  readonly isDraining: boolean
  /**
   * Adds a readiness check.
   *
   * @throws OperateError `CLO_ERR_OPERATE_CHECK` if there is one of this name
   */
  addCheck(name: string, check: Check | TimedCheck): void
  /** Runs the readiness checks, or takes their last results. */
  checkReadiness(): Promise<Readiness>
  /** Returns the metrics as Prometheus text, those of the option `registry` included. */
  metricsText(): Promise<string>
  /** Lets `/ready` fail, waits `drainMs`, and closes the app; the process goes on. */
  drain(): Promise<void>
}

/** Whether the app is ready, and what says so. */
export interface Readiness {
  /** The app serves requests, drains, or lacks something that it needs. */
  readonly status: 'ready' | 'draining' | 'failing'
  /** The result of each check. */
  readonly checks: Readonly<Record<string, CheckResult>>
}

/** The result of a check: `late` where it took longer than its time. */
export type CheckResult = 'ok' | 'failed' | 'late'

/** What the plugin needs of a meter: that of `@opentelemetry/api` has it. */
export interface Meter {
  /** Creates a histogram. */
  createHistogram(name: string, options: HistogramOptions): Histogram
  /** Creates a counter. */
  createCounter(name: string, options: InstrumentOptions): Counter
  /** Creates a sum that is read when metrics are collected. */
  createObservableUpDownCounter(name: string, options: InstrumentOptions): ObservableSum
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
  /** Adds what is called when metrics are collected. */
  addCallback(callback: Observe): void
  /** Removes it. */
  removeCallback(callback: Observe): void
}

/** Called when metrics are collected. */
export type Observe = (result: {
  /** Gives the value. */
  observe(value: number): void
}) => void

/** What the plugin needs of a registry: that of `prom-client` has it. */
export interface Registry {
  /** Returns its metrics as Prometheus text. */
  metrics(): Promise<string>
}
