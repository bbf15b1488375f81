import { isArray, itemsOf, look, namesOf, textOf, toPlain } from '../foreign.ts'
import { hush, isFunction, isLate, isRecord, type Dictionary } from '../guards.ts'
import { isError, isOwnError, messageOf } from '../read-error.ts'
import { kExchange } from '../symbols.ts'

type LogSerializer = (value: unknown) => unknown

/** Serializes a request for the log. */
export function req(request: unknown): unknown {
  if (!isRecord(request)) return request
  const { method, url, headers, ip } = request
  // With the port: `host` contains it in Fastify 5.x, `hostname` in Fastify 4.x.
  const host = request['host'] ?? request['hostname']
  return {
    method,
    url,
    version: isRecord(headers) ? headers['accept-version'] : undefined,
    host,
    hostname: host,
    remoteAddress: ip,
    remotePort: portOf(request),
  }
}

/** Returns the port of the client. A value that the application logs as `req` may be any object. */
function portOf(request: Record<string, unknown>): unknown {
  const exchange: unknown = Reflect.get(request, kExchange)
  if (isRecord(exchange)) return isRecord(exchange['peer']) ? exchange['peer']['port'] : undefined
  const { socket } = request
  return isRecord(socket) ? socket['remotePort'] : undefined
}

/** Serializes a reply for the log. If the client disconnected before the response, there is no status. */
export function res(reply: unknown): unknown {
  if (!isRecord(reply)) return reply
  const exchange: unknown = Reflect.get(reply, kExchange)
  const isUnseen = isRecord(exchange) && look(exchange['turn'], 'name') === 'lost'
  return { statusCode: isUnseen ? null : reply['statusCode'] }
}

const MAX_DEPTH = 5
/** The most causes of an error, errors of an aggregate, and members to log. */
const MAX_CAUSES = 16
const MAX_ERRORS = 20
const MAX_MEMBERS = 100

/** Errors of other realms and of some libraries are recognised by their message. */
function isErrorLike(value: unknown): value is object {
  return typeof value === 'object' && (isError(value) || typeof look(value, 'message') === 'string')
}

/**
 * Serializes an error for the log: its type, its message and stack with those of its causes, its aggregated errors, its
 * members (including those of its class), and its cause again as a separate object. The result is always plain data of
 * limited size, so that writing the line can't throw or start work.
 */
function err(error: unknown, depth = 0): unknown {
  hush(error)
  if (!isErrorLike(error)) return toPlain(error)
  const chain = chainOf(error)
  const shown: Record<string, unknown> = {
    type: typeOf(error),
    message: chain.map(messageOf).join(': '),
    stack: chain.map((one) => textOf(look(one, 'stack') ?? '') ?? '').join('\ncaused by: '),
  }
  const errors = look(error, 'errors')
  if (isArray(errors) && depth < MAX_DEPTH) {
    shown['aggregateErrors'] = itemsOf(errors, MAX_ERRORS).map((one) => err(one, depth + 1))
  }
  for (const key of namesOf(error, MAX_MEMBERS)) {
    if (!(key in shown)) shown[key] = errWithin(look(error, key), depth)
  }
  const cause = look(error, 'cause')
  if (cause !== undefined) shown['cause'] = errWithin(cause, depth)
  return shown
}

/** Returns an error with its causes. The chain ends at an error of the framework, whose message is sufficient. */
function chainOf(error: object): readonly object[] {
  const chain: object[] = []
  for (let next: unknown = error; isErrorLike(next) && !chain.includes(next); next = look(next, 'cause')) {
    if (chain.push(next) === MAX_CAUSES || isOwnError(error)) break
  }
  return chain
}

function typeOf(error: object): unknown {
  const name = textOf(look(error, 'name'), MAX_MEMBERS)
  // Bundlers rename classes.
  if (isOwnError(error)) return name
  const found = look(look(error, 'constructor'), 'name')
  return typeof found === 'string' ? found : name
}

function errWithin(value: unknown, depth: number): unknown {
  return isErrorLike(value) && depth < MAX_DEPTH ? err(value, depth + 1) : toPlain(value)
}

/**
 * Wraps the serializers of an application. Lines are written synchronously, so a promise can't be part of a line; its
 * rejection is ignored.
 */
export function guardSerializers(own: Dictionary): Record<string, unknown> {
  const guarded: Record<PropertyKey, unknown> = { ...own }
  for (const key of Reflect.ownKeys(own)) {
    const serialize: unknown = Reflect.get(own, key)
    if (!isFunction(serialize)) continue
    guarded[key] = (value: unknown): unknown => {
      const shown = serialize.call(own, value)
      if (isLate(shown)) return '[a promise]'
      return isError(shown) || isFunction(look(shown, 'toJSON')) ? toPlain(shown) : shown
    }
  }
  return guarded
}

/** Creates the default serializers of the log. */
export function serializers(): Record<string, LogSerializer> {
  return { req, res, err: (error) => err(error) }
}
