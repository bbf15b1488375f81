import { endOf } from '../exchange/ends.ts'
import { isFunction, isRecord, type AnyFunction, type Dictionary } from '../guards.ts'
import { kExchange, kPlan, kState } from '../symbols.ts'
import { lineChannels } from '../tracing.ts'
import { findKey, isDestination, METADATA } from './destination.ts'
import { LogController } from './log-controller.ts'
import { req, res } from './serializers.ts'

/** What the lines read of a request. */
interface LoggedRequest {
  readonly method: string
  readonly url: string
  readonly host: string
  readonly ip: string | undefined
  readonly id: string
  readonly [kPlan]: {
    readonly logLevel: string
    readonly logSerializers: object | null
    readonly childLoggerFactory: unknown
  }
  readonly [kState]: {
    readonly log: unknown
    lineBindings: string | null
    readonly observer: { readonly logFields: Dictionary | null } | null
  }
  readonly [kExchange]: {
    readonly peer: { readonly port: number | undefined }
    readonly turn: { readonly name: string }
    header(name: string): string | undefined
  }
}

/** The members of a logger, by their names and symbols. */
type Members = Readonly<Record<PropertyKey, unknown>>

/** What the last line reads of a reply. */
interface LoggedReply {
  readonly statusCode: unknown
  readonly elapsedTime: number
}

/** The parts of lines that are the same for all requests, and the values they were read with. */
interface Parts {
  readonly info: unknown
  readonly own: unknown
  readonly label: string
  /** `null` where pino has to write the lines */
  readonly texts: Texts | null
}

interface Texts {
  /** writes nothing, because the level is above `info` */
  readonly isSilent: boolean
  readonly head: string
  readonly bindings: string
  /** those of the logger, by the name of their field */
  readonly serializers: Dictionary
  readonly end: (message: string) => string
}

const MARK = '\u0001'
const INCOMING = 'incoming request'
const COMPLETED = 'request completed'
const ABORTED = 'request aborted'
const PLAIN = /^[ !#-[\]-~]*$/
const NO_FIELDS: Dictionary = {}
/** Names that pino writes as they are, where they are. */
const PLAIN_NAME = /^(?!(?:level|serializers|formatters|customLevels)$)[A-Za-z_]\w*$/

/**
 * Writes the first and the last line of requests, byte for byte as pino does, without a child logger, serialized objects
 * and their JSON. It does so only while the options of pino allow it: the framework's serializers, and nothing of the
 * application between a call and its line. Else it writes nothing, and the log controller does.
 */
export class RequestLines {
  readonly #logger: Members
  readonly #controller: LogController
  readonly #keys: Keys
  #parts: Parts | null = null

  constructor(logger: Members, controller: LogController, keys: Keys) {
    this.#logger = logger
    this.#controller = controller
    this.#keys = keys
  }

  /** Writes the line of a new request. @returns whether that is done */
  incoming(request: LoggedRequest): boolean {
    const texts = this.#textsFor(request)
    if (texts === null || texts.isSilent) return texts !== null
    const bindings = this.#bindingsOf(texts, request)
    if (bindings === null) return false
    const { [kExchange]: exchange } = request
    const { method, url, host, ip } = request
    const version = exchange.header('accept-version')
    const { port } = exchange.peer
    const name = quote(host)
    const asked = version === undefined ? '' : `,"version":${quote(version)}`
    const from = ip === undefined ? '' : `,"remoteAddress":${quote(ip)}`
    const at = port === undefined ? '' : `,"remotePort":${port}`
    const target = `"method":${quote(method)},"url":${quote(url)}${asked}`
    const fields = `,"req":{${target},"host":${name},"hostname":${name}${from}${at}}`
    this.#write(texts, bindings, fields, INCOMING)
    return true
  }

  /** Writes the line of a request that is over. @returns whether that is done */
  completed(error: Error | null, request: LoggedRequest, reply: LoggedReply): boolean {
    const { name } = endOf(error)
    const texts = name === 'failed' ? null : this.#textsFor(request)
    if (texts === null || texts.isSilent) return texts !== null
    const bindings = this.#bindingsOf(texts, request)
    if (bindings === null) return false
    const isUnseen = request[kExchange].turn.name === 'lost'
    const status = isUnseen ? 'null' : JSON.stringify(reply.statusCode)
    const fields = `,"res":{"statusCode":${status}},"responseTime":${reply.elapsedTime}`
    this.#write(texts, bindings, fields, name === 'complete' ? COMPLETED : ABORTED)
    return true
  }

  #write({ head, end }: Texts, bindings: string, fields: string, message: string): void {
    const time: unknown = this.#call('time')
    const stream = this.#logger[this.#keys.stream]
    if (isDestination(stream)) stream.write(`${head}${String(time)}${bindings}${fields}${end(message)}`)
  }

  /** What a child logger would have: the id, and the fields of the observer. `null` if pino has to write these. */
  #bindingsOf(texts: Texts, request: LoggedRequest): string | null {
    return (request[kState].lineBindings ??= this.#composeBindings(texts, request))
  }

  #composeBindings({ bindings, serializers }: Texts, request: LoggedRequest): string | null {
    const { requestIdLogLabel: label } = this.#controller
    let text = `${bindings},${quote(label)}:${quote(request.id)}`
    const fields = request[kState].observer?.logFields ?? NO_FIELDS
    for (const name in fields) {
      if (!Object.hasOwn(fields, name)) continue
      const value = fields[name]
      const isPlain = name !== label && serializers[name] === undefined && PLAIN_NAME.test(name)
      if (typeof value !== 'string' || !isPlain) return null
      text += `,"${name}":${quote(value)}`
    }
    return text
  }

  #call(name: Key): unknown {
    const fn = this.#logger[this.#keys[name]]
    return isFunction(fn) ? fn.call(this.#logger) : ''
  }

  /** A request whose log has a level, serializers or an instance of its own is logged by that. */
  #textsFor({ [kPlan]: plan, [kState]: state }: LoggedRequest): Texts | null {
    const isPlain =
      state.log === null &&
      plan.logLevel === '' &&
      plan.logSerializers === null &&
      plan.childLoggerFactory === null
    if (!isPlain || this.#controller.disableRequestLogging !== false) return null
    if (lineChannels.hasSubscribers) return null
    const { requestIdLogLabel: label } = this.#controller
    const { info } = this.#logger
    const own = this.#logger[this.#keys.chindings]
    const parts = this.#parts
    if (parts !== null && parts.info === info && parts.own === own && parts.label === label)
      return parts.texts
    const texts = compile(this.#logger, this.#keys, label)
    this.#parts = { info, own, label, texts }
    return texts
  }
}

const KEYS = [
  'asJson',
  'chindings',
  'mixin',
  'msgPrefix',
  'nestedKey',
  'stream',
  'stringifiers',
  'time',
] as const
type Key = (typeof KEYS)[number]
type Keys = Readonly<Record<Key, symbol>>

function keysOf(logger: object): Keys | null {
  const found: Partial<Record<Key, symbol | undefined>> = {}
  for (const name of KEYS) found[name] = findKey(logger, `pino.${name}`)
  return hasAll(found) ? found : null
}

const hasAll = (found: Partial<Record<Key, symbol | undefined>>): found is Record<Key, symbol> =>
  KEYS.every((name) => found[name] !== undefined)

const nameOf = (value: unknown): string | null => (isFunction(value) ? value.name : null)

/** Whether nothing of the application changes a line on its way. */
function isPlainPino(logger: object, keys: Keys, label: string, serializers: Dictionary): boolean {
  const formatters: unknown = Reflect.get(logger, Symbol.for('pino.formatters'))
  const hooks: unknown = Reflect.get(logger, Symbol.for('pino.hooks'))
  const stringifiers: unknown = Reflect.get(logger, keys.stringifiers)
  const stream: unknown = Reflect.get(logger, keys.stream)
  if (!isRecord(formatters) || typeof stringifiers !== 'object') return false
  return (
    serializers['req'] === req &&
    serializers['res'] === res &&
    ['responseTime', label].every((name) => serializers[name] === undefined) &&
    formatters['log'] === undefined &&
    (!isRecord(hooks) || (hooks['logMethod'] === undefined && hooks['streamWrite'] === undefined)) &&
    Reflect.ownKeys(stringifiers ?? {}).length === 0 &&
    [keys.mixin, keys.msgPrefix, keys.nestedKey].every((key) => !Reflect.get(logger, key)) &&
    (nameOf(Reflect.get(logger, 'onChild')) ?? 'noop') === 'noop' &&
    isDestination(stream) &&
    Reflect.get(stream, METADATA) !== true
  )
}

/** Reads the parts of lines from lines that pino makes, and compares one. */
function compile(logger: object, keys: Keys, label: string): Texts | null {
  const info = nameOf(Reflect.get(logger, 'info'))
  const asJson: unknown = Reflect.get(logger, keys.asJson)
  const child: unknown = Reflect.get(logger, 'child')
  const own: unknown = Reflect.get(logger, keys.chindings)
  const number = levelOf(logger)
  if ((info !== 'LOG' && info !== 'noop') || nameOf(asJson) !== 'asJson' || number === null) return null
  if (!isFunction(asJson) || !isFunction(child) || typeof own !== 'string') return null
  const serializers: unknown = Reflect.get(logger, Symbol.for('pino.serializers'))
  if (!isRecord(serializers) || !isPlainPino(logger, keys, label, serializers)) return null
  const [head = '', rest = ''] = String(asJson.call(logger, {}, MARK, number, MARK)).split(MARK, 2)
  if (!rest.startsWith(own)) return null
  const texts: Texts = {
    isSilent: info === 'noop',
    head,
    bindings: own,
    serializers,
    end: endsOf(logger, asJson, number, head.length + own.length),
  }
  const probe = asJson.call(child.call(logger, { [label]: 'a' }), { responseTime: 1 }, INCOMING, number, MARK)
  const ours = `${head}${MARK}${own},${quote(label)}:"a","responseTime":1${texts.end(INCOMING)}`
  return probe === ours ? texts : null
}

/** The ends of lines by their message. */
function endsOf(logger: object, asJson: AnyFunction, level: number, start: number): Texts['end'] {
  const endOfLine = (message: string): string =>
    String(asJson.call(logger, {}, message, level, '')).slice(start)
  const known = new Map([INCOMING, COMPLETED, ABORTED].map((message) => [message, endOfLine(message)]))
  return (message) => known.get(message) ?? ''
}

function levelOf(logger: object): number | null {
  const levels: unknown = Reflect.get(logger, 'levels')
  const values: unknown = isRecord(levels) ? levels['values'] : null
  const info: unknown = isRecord(values) ? values['info'] : null
  return typeof info === 'number' ? info : null
}

function quote(text: string | number): string {
  if (typeof text === 'number') return JSON.stringify(text)
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** @returns `null` for a logger that is not pino, and for a controller of the application with lines of its own */
export function createRequestLines(logger: object, controller: unknown): RequestLines | null {
  if (!(controller instanceof LogController)) return null
  const { incomingRequest, requestCompleted, isLogDisabled } = LogController.prototype
  const isOurs =
    controller.incomingRequest === incomingRequest &&
    controller.requestCompleted === requestCompleted &&
    controller.isLogDisabled === isLogDisabled
  const keys = isOurs ? keysOf(logger) : null
  return keys === null || !hasMembers(logger) ? null : new RequestLines(logger, controller, keys)
}

const hasMembers = (logger: object): logger is Members => 'info' in logger
