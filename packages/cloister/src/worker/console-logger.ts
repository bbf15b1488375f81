import { createError } from '../errors.ts'
import { isFunction, isRecord, recordOf, type Dictionary } from '../guards.ts'
import { isDestination } from '../logging/destination.ts'
import { isError, messageOf } from '../read-error.ts'

/** The levels with their numbers in log lines, as in pino, and the console methods nearest to them. */
const WRITTEN = [
  ['trace', 10, 'debug'],
  ['debug', 20, 'debug'],
  ['info', 30, 'log'],
  ['warn', 40, 'warn'],
  ['error', 50, 'error'],
  ['fatal', 60, 'error'],
] as const

const LEVELS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(WRITTEN.map(([label, number]) => [label, number])),
  silent: Infinity,
}

type Level = (typeof WRITTEN)[number]

const KNOWN: readonly string[] =
  'level enabled name base serializers msgPrefix messageKey errorKey timestamp formatters stream'.split(' ')
const KNOWN_FORMATTERS: readonly string[] = ['level', 'log']

/** The options of a logger. Members from the application are read when a line is written. */
interface Settings {
  readonly level: string
  readonly bindings: Dictionary
  readonly serializers: Dictionary
  readonly msgPrefix: string
  readonly messageKey: string
  readonly errorKey: string
  readonly timestamp: unknown
  readonly formatters: Dictionary
  readonly write: (method: Level[2], line: string) => void
}

interface ConsoleLogger extends Record<Level[0] | 'silent', (...args: readonly unknown[]) => void> {}

/** A logger with pino's interface that writes JSON lines to the console, the only output of a worker. */
class ConsoleLogger {
  readonly levels: unknown = {
    values: { ...LEVELS },
    labels: Object.fromEntries(Object.entries(LEVELS).map(([label, value]) => [value, label])),
  }
  #settings: Settings

  static {
    for (const level of WRITTEN) {
      this.prototype[level[0]] = function (...args) {
        this.#write(level, args)
      }
    }
    this.prototype.silent = () => {}
  }

  constructor(settings: Settings) {
    this.#settings = settings
    this.level = settings.level
  }

  get level(): string {
    return this.#settings.level
  }

  /** @throws RangeError for an unknown level */
  set level(level: string) {
    if (!Object.hasOwn(LEVELS, level))
      throw new RangeError(`the log level '${level}' is none of ${Object.keys(LEVELS).join(', ')}`)
    this.#settings = { ...this.#settings, level }
  }

  /** Lines are not buffered, so there is nothing to flush. */
  flush(done?: unknown): void {
    if (isFunction(done)) done()
  }

  bindings(): Dictionary {
    return { ...this.#settings.bindings }
  }

  setBindings(given: Dictionary): void {
    const { bindings, serializers } = this.#settings
    this.#settings = { ...this.#settings, bindings: { ...bindings, ...serialize(given, serializers) } }
  }

  isLevelEnabled(level: string): boolean {
    return (LEVELS[level] ?? -1) >= (LEVELS[this.level] ?? 0)
  }

  child(given: Dictionary, options: unknown = {}): ConsoleLogger {
    const settings = this.#settings
    const { level, serializers: own, msgPrefix } = readSettings(options, settings.level)
    const serializers = { ...settings.serializers, ...own }
    return new ConsoleLogger({
      ...settings,
      level,
      bindings: { ...settings.bindings, ...serialize(given, serializers) },
      serializers,
      msgPrefix: settings.msgPrefix + msgPrefix,
    })
  }

  #write([label, number, method]: Level, args: readonly unknown[]): void {
    if (!this.isLevelEnabled(label)) return
    const { bindings, serializers, msgPrefix, messageKey, errorKey, timestamp, formatters, write } =
      this.#settings
    const [fields, message] = readMessage(args, errorKey)
    const line = {
      ...shape(formatters['level'], { level: number }, label, number),
      ...timeOf(timestamp),
      ...bindings,
      ...serialize(shape(formatters['log'], fields, fields), serializers),
      ...(message === undefined ? {} : { [messageKey]: msgPrefix + message }),
    }
    write(method, toText(line))
  }
}

function serialize(fields: Dictionary, serializers: Dictionary): Dictionary {
  const shown: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) {
    const own = Object.hasOwn(serializers, key) ? serializers[key] : undefined
    if (value !== undefined) shown[key] = isFunction(own) ? own(value) : value
  }
  return shown
}

/** Returns the result of a formatter; without a formatter, `part` itself. */
function shape(formatter: unknown, part: Dictionary, ...args: readonly unknown[]): Dictionary {
  const shaped: unknown = isFunction(formatter) ? formatter(...args) : part
  return isRecord(shaped) ? shaped : part
}

/**
 * Returns the field with the time. An application's function returns it in pino's format: a member as text, after a
 * comma.
 */
function timeOf(timestamp: unknown): Dictionary {
  if (timestamp === false) return {}
  if (!isFunction(timestamp)) return { time: Date.now() }
  return recordOf(JSON.parse(`{${String(timestamp()).replace(',', '')}}`))
}

/**
 * Reads the arguments of a log function: an object, an error or neither, then a message with values for its
 * placeholders.
 *
 * @param errorKey - the key for an error that is passed instead of the object
 */
function readMessage(args: readonly unknown[], errorKey: string): [Dictionary, string | undefined] {
  const [first, ...rest] = args
  if (typeof first === 'string') return [{}, fill(first, rest)]
  const [message, ...values] = rest
  const text = message === undefined ? undefined : fill(String(message), values)
  const fields = isError(first) ? { [errorKey]: first } : recordOf(first)
  const cause = fields[errorKey]
  return [fields, text ?? (isError(cause) ? messageOf(cause) : undefined)]
}

const HOLE = /%[sdifoOj%]/g

/** Replaces the placeholders of a message (`%s`, `%d`, `%o`, …) with values. Extra values are omitted. */
function fill(text: string, values: readonly unknown[]): string {
  if (values.length === 0) return text
  let next = 0
  return text.replace(HOLE, (hole) => {
    if (hole === '%%') return '%'
    if (next === values.length) return hole
    const value = values[next++]
    if (hole === '%s') return String(value)
    if (hole === '%d' || hole === '%f') return String(Number(value))
    return hole === '%i'
      ? String(Math.trunc(Number(value)))
      : (JSON.stringify(writable(value)) ?? String(value))
  })
}

/** If `JSON.stringify` throws for a line, each field is converted separately. */
function toText(line: Dictionary): string {
  try {
    return JSON.stringify(line)
  } catch {
    const shown = Object.entries(line).map(([key, value]) => [key, writable(value)])
    return JSON.stringify(Object.fromEntries(shown))
  }
}

/** Returns a text instead of a value without a form in JSON (circular references, big integers). */
function writable(value: unknown): unknown {
  try {
    JSON.stringify(value)
    return value
  } catch {
    return `[${typeof value} without a text in JSON]`
  }
}

function refuse(name: string): never {
  throw createError('LOG_OPTION_UNAVAILABLE', { name, available: KNOWN.join(', ') })
}

/**
 * Reads options in pino's format.
 *
 * @param otherwise - the default level
 * @throws `CLO_ERR_LOG_OPTION_UNAVAILABLE` for an option that the logger does not support: ignoring `redact` would
 * write secrets
 */
function readSettings(given: unknown, otherwise: string): Settings {
  const options = recordOf(given)
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !KNOWN.includes(name)) refuse(name)
  }
  const { name, level, base, enabled, msgPrefix, messageKey, errorKey, stream, timestamp } = options
  const formatters = recordOf(options['formatters'])
  for (const own of Object.keys(formatters)) if (!KNOWN_FORMATTERS.includes(own)) refuse(`formatters.${own}`)
  return {
    level: enabled === false ? 'silent' : textOr(level, otherwise),
    bindings: { ...recordOf(base), ...(name === undefined ? {} : { name }) },
    serializers: recordOf(options['serializers']),
    msgPrefix: textOr(msgPrefix, ''),
    messageKey: textOr(messageKey, 'msg'),
    errorKey: textOr(errorKey, 'err'),
    timestamp,
    formatters,
    write: (method, line) => {
      if (isDestination(stream)) stream.write(`${line}\n`)
      else console[method](line)
    },
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

/**
 * Creates the logger of a worker. It has pino's interface, and pino's options for the format of a line.
 *
 * @throws `CLO_ERR_LOG_OPTION_UNAVAILABLE` for other options of pino
 */
export function createPino(options: unknown): ConsoleLogger {
  return new ConsoleLogger(readSettings(options, 'info'))
}
