import { isFunction, isRecord } from '../guards.ts'
import { writeMessage, readSettings, type LoggerSettings, type LogSerializers } from './logger-settings.ts'

/** The numbers that levels have in log lines; those of pino. */
const LEVELS: Readonly<Record<string, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Infinity,
}

type Fields = Readonly<Record<string, unknown>>

/** What loggers and their children differ in. */
interface Own {
  readonly bindings: Fields
  readonly serializers: LogSerializers
  readonly level: string
  readonly msgPrefix: string
}

const WRITTEN = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
type LevelName = (typeof WRITTEN)[number] | 'silent'

/** A function for each level. */
interface ConsoleLogger extends Record<LevelName, (...args: readonly unknown[]) => void> {}

/** A logger with the interface of pino that writes lines of JSON to the console, which is a worker's only output. */
class ConsoleLogger {
  readonly levels: unknown = {
    values: { ...LEVELS },
    labels: Object.fromEntries(Object.entries(LEVELS).map(([label, value]) => [value, label])),
  }
  readonly #settings: LoggerSettings
  readonly #msgPrefix: string
  readonly #serializers: LogSerializers
  #bindings: Fields
  #level: string
  #least: number

  static {
    for (const label of WRITTEN) {
      this.prototype[label] = function (...args) {
        this.#write(label, args)
      }
    }
    this.prototype.silent = () => {}
  }

  constructor(settings: LoggerSettings, { bindings, serializers, level, msgPrefix }: Own) {
    this.#settings = settings
    this.#msgPrefix = msgPrefix
    this.#serializers = serializers
    this.#bindings = bindings
    this.#level = level
    this.#least = numberOf(level)
  }

  get level(): string {
    return this.#level
  }

  set level(level: string) {
    this.#least = numberOf(level)
    this.#level = level
  }

  /** Nothing is held back. */
  flush(done?: unknown): void {
    if (isFunction(done)) done()
  }

  bindings(): Fields {
    return { ...this.#bindings }
  }

  setBindings(bindings: Fields): void {
    this.#bindings = { ...this.#bindings, ...this.#serialize(bindings, this.#serializers) }
  }

  isLevelEnabled(level: string): boolean {
    return (LEVELS[level] ?? -1) >= this.#least
  }

  child(bindings: Fields, options: unknown = {}): ConsoleLogger {
    const { level, serializers, msgPrefix } = readSettings(options, this.#level)
    const merged = { ...this.#serializers, ...serializers }
    return new ConsoleLogger(this.#settings, {
      bindings: { ...this.#bindings, ...this.#serialize(bindings, merged) },
      serializers: merged,
      level,
      msgPrefix: this.#msgPrefix + msgPrefix,
    })
  }

  #serialize(fields: Fields, serializers: LogSerializers): Fields {
    const shown: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(fields)) {
      const serialize = Object.hasOwn(serializers, key) ? serializers[key] : undefined
      if (value !== undefined) shown[key] = serialize === undefined ? value : serialize(value)
    }
    return shown
  }

  #write(label: string, args: readonly unknown[]): void {
    if ((LEVELS[label] ?? 0) < this.#least) return
    const { errorKey, messageKey, formatters, time, write } = this.#settings
    const { fields, message } = writeMessage(args, errorKey)
    const shown = this.#serialize(formatters.log(fields), this.#serializers)
    const line = {
      ...formatters.level(label, LEVELS[label] ?? 0),
      ...time(),
      ...this.#bindings,
      ...shown,
      ...(message === undefined ? {} : { [messageKey]: this.#msgPrefix + message }),
    }
    write(label, toText(line))
  }
}

/** @throws RangeError for a name that is no level */
function numberOf(level: string): number {
  const number = Object.hasOwn(LEVELS, level) ? LEVELS[level] : undefined
  if (number === undefined)
    throw new RangeError(`the log level '${level}' is none of ${Object.keys(LEVELS).join(', ')}`)
  return number
}

/** A line that has no text (a circle, a big integer) is written field by field. */
function toText(line: Fields): string {
  try {
    return JSON.stringify(line)
  } catch {
    return JSON.stringify(
      Object.fromEntries(Object.entries(line).map(([key, value]) => [key, fieldText(value)])),
    )
  }
}

function fieldText(value: unknown): unknown {
  try {
    return JSON.stringify(value) === undefined ? undefined : value
  } catch {
    return `[${typeof value} without a text in JSON]`
  }
}

/**
 * Makes the logger of a worker, which has the interface of pino and the options that shape a line.
 *
 * @throws `CLO_ERR_LOG_OPTION_UNAVAILABLE` for other options of pino
 */
export function createPino(options: unknown): ConsoleLogger {
  const settings = readSettings(options, 'info')
  const { base, level, serializers, msgPrefix } = settings
  const root = new ConsoleLogger(settings, {
    bindings: isRecord(base) ? base : {},
    serializers,
    level,
    msgPrefix,
  })
  return root
}
