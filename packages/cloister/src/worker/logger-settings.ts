import { createError } from '../errors.ts'
import { isFunction, isRecord } from '../guards.ts'
import { isDestination } from '../logging/destination.ts'
import { isError, messageOf } from '../read-error.ts'

/** Functions that convert values for the log, by their key. */
export type LogSerializers = Readonly<Record<string, (value: unknown) => unknown>>

/** Shapes of lines. */
interface Formatters {
  level(label: string, number: number): object
  log(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

/** The options of a logger, read once. */
export interface LoggerSettings {
  readonly level: string
  readonly serializers: LogSerializers
  readonly base: Readonly<Record<string, unknown>>
  readonly msgPrefix: string
  readonly messageKey: string
  readonly errorKey: string
  /** Returns the field with the time, if there is one. */
  time(): Readonly<Record<string, unknown>>
  readonly formatters: Formatters
  write(label: string, line: string): void
}

const KNOWN: readonly string[] =
  'level enabled name base serializers msgPrefix messageKey errorKey timestamp formatters stream'.split(' ')
const KNOWN_FORMATTERS: readonly string[] = ['level', 'log']

/** The methods of the console that have a level of their own; platforms show it. */
const CONSOLE: Readonly<Record<string, (line: string) => void>> = {
  trace: (line) => console.debug(line),
  debug: (line) => console.debug(line),
  warn: (line) => console.warn(line),
  error: (line) => console.error(line),
  fatal: (line) => console.error(line),
}

function refuse(name: string): never {
  throw createError('LOG_OPTION_UNAVAILABLE', { name, available: KNOWN.join(', ') })
}

/**
 * Reads options in the form of pino.
 *
 * @param level - where the options name none
 * @throws `CLO_ERR_LOG_OPTION_UNAVAILABLE` for an option that the logger does not have: what should not be seen
 * (`redact`) must not be written
 */
export function readSettings(given: unknown, level: string): LoggerSettings {
  const options = isRecord(given) ? given : {}
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !KNOWN.includes(name)) refuse(name)
  }
  const { name, base, enabled, stream, timestamp } = options
  return {
    level: enabled === false ? 'silent' : textOr(options['level'], level),
    serializers: readSerializers(options['serializers']),
    base: { ...(isRecord(base) ? base : {}), ...(name === undefined ? {} : { name }) },
    msgPrefix: textOr(options['msgPrefix'], ''),
    messageKey: textOr(options['messageKey'], 'msg'),
    errorKey: textOr(options['errorKey'], 'err'),
    time: readTime(timestamp),
    formatters: readFormatters(options['formatters']),
    write: isDestination(stream) ? (_label, line) => stream.write(`${line}\n`) : writeToConsole,
  }
}

function writeToConsole(label: string, line: string): void {
  const write = CONSOLE[label] ?? console.log
  write(line)
}

/** A function of the application returns its field as pino wants it: the text of a member, behind a comma. */
function readTime(given: unknown): LoggerSettings['time'] {
  if (given === false) return () => ({})
  if (!isFunction(given)) return () => ({ time: Date.now() })
  return () => {
    const field: unknown = JSON.parse(`{${String(given()).replace(',', '')}}`)
    return isRecord(field) ? field : {}
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

function readSerializers(given: unknown): LogSerializers {
  const found: Record<string, (value: unknown) => unknown> = {}
  for (const [key, serialize] of Object.entries(isRecord(given) ? given : {})) {
    if (isFunction(serialize)) found[key] = (value) => serialize(value)
  }
  return found
}

function readFormatters(given: unknown): Formatters {
  const own = isRecord(given) ? given : {}
  for (const name of Object.keys(own)) if (!KNOWN_FORMATTERS.includes(name)) refuse(`formatters.${name}`)
  const { level, log } = own
  return {
    level: (label, number) =>
      objectOr(isFunction(level) ? level(label, number) : undefined, { level: number }),
    log: (fields) => objectOr(isFunction(log) ? log(fields) : undefined, fields),
  }
}

function objectOr(
  value: unknown,
  otherwise: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : otherwise
}

/** What a call of a log function writes. */
export interface LogMessage {
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string | undefined
}

const HOLE = /%[sdifoOj%]/g

/**
 * Reads the arguments of a log function: an object, an error or nothing, then a message with values for its holes.
 *
 * @param errorKey - the key of an error that is given in place of the object
 */
export function writeMessage(args: readonly unknown[], errorKey: string): LogMessage {
  const [first, ...rest] = args
  if (typeof first === 'string') return { fields: {}, message: fill(first, rest) }
  const [message, ...values] = rest
  const text = message === undefined ? undefined : fill(String(message), values)
  if (isError(first)) return { fields: { [errorKey]: first }, message: text ?? messageOf(first) }
  if (!isRecord(first)) return { fields: {}, message: text }
  const cause = first[errorKey]
  return { fields: first, message: text ?? (isError(cause) ? messageOf(cause) : undefined) }
}

/** Puts values into the holes of a message (`%s`, `%d`, `%o`, …); those without a hole are left out. */
function fill(text: string, values: readonly unknown[]): string {
  if (values.length === 0) return text
  let next = 0
  return text.replace(HOLE, (hole) => {
    if (hole === '%%') return '%'
    if (next === values.length) return hole
    const value = values[next++]
    if (hole === '%s') return String(value)
    if (hole === '%d' || hole === '%f') return String(Number(value))
    return hole === '%i' ? String(Math.trunc(Number(value))) : jsonOf(value)
  })
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return '[without a text in JSON]'
  }
}
