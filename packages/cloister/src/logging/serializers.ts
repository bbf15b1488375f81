import { CloisterError } from '../errors.ts'
import { isRecord } from '../functions.ts'
import { kExchange } from '../symbols.ts'

type LogSerializer = (value: unknown) => unknown

/** Serializes a request for the log. */
function req(request: unknown): unknown {
  if (!isRecord(request)) return request
  const { method, url, headers, ip } = request
  // With the port. Fastify 5.x reads it from the first, Fastify 4.x from the second.
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

/** Returns the port of the client. What the application logs as `req` need not be a request of the framework. */
function portOf(request: Record<string, unknown>): unknown {
  const exchange: unknown = Reflect.get(request, kExchange)
  if (isRecord(exchange)) return isRecord(exchange['peer']) ? exchange['peer']['port'] : undefined
  const { socket } = request
  return isRecord(socket) ? socket['remotePort'] : undefined
}

/** Serializes a reply for the log. A client that went away before the response has seen no status. */
function res(reply: unknown): unknown {
  if (!isRecord(reply)) return reply
  const exchange: unknown = Reflect.get(reply, kExchange)
  const isUnseen = isRecord(exchange) && exchange['headersSent'] === false && exchange['aborted'] === true
  return { statusCode: isUnseen ? null : reply['statusCode'] }
}

interface ErrorLike {
  readonly message: string
  readonly name?: unknown
  readonly stack?: unknown
  readonly cause?: unknown
}

/** Errors of other realms and of libraries are recognised by their message. */
function isErrorLike(value: unknown): value is ErrorLike {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  )
}

const MAX_DEPTH = 5

/**
 * Serializes an error for the log: its type, the messages and stacks of it and its causes, its aggregated errors, its
 * members (those of its class too), and its cause once more by itself.
 */
function err(error: unknown, depth = 0): unknown {
  if (!isErrorLike(error)) return error
  const chain = chainOf(error)
  const shown: Record<string, unknown> = {
    type: typeOf(error),
    message: chain.map(({ message }) => message).join(': '),
    stack: chain.map(({ stack }) => String(stack ?? '')).join('\ncaused by: '),
  }
  if ('errors' in error && Array.isArray(error.errors) && depth < MAX_DEPTH) {
    shown['aggregateErrors'] = error.errors.map((one: unknown) => err(one, depth + 1))
  }
  for (const key in error) {
    if (!(key in shown)) shown[key] = errWithin(Reflect.get(error, key), depth)
  }
  if (error.cause !== undefined) shown['cause'] = errWithin(error.cause, depth)
  return shown
}

/** An error and its causes; errors of the framework speak for themselves. */
function chainOf(error: ErrorLike): readonly ErrorLike[] {
  if (error instanceof CloisterError) return [error]
  const chain: ErrorLike[] = []
  for (let next: unknown = error; isErrorLike(next) && !chain.includes(next); next = next.cause)
    chain.push(next)
  return chain
}

function typeOf(error: ErrorLike): unknown {
  // Bundlers give classes other names.
  if (error instanceof CloisterError) return error.name
  const { constructor } = error
  return typeof constructor === 'function' ? constructor.name : error.name
}

function errWithin(value: unknown, depth: number): unknown {
  return isErrorLike(value) && depth < MAX_DEPTH ? err(value, depth + 1) : value
}

/** An error that throws when it is looked at must not take the log line, or the process, with it. */
function readableErr(error: unknown): unknown {
  try {
    return err(error)
  } catch {
    return { type: 'Error', message: 'an error that cannot be read' }
  }
}

/** The serializers of the log, unless the application brings its own. */
export function serializers(): Record<string, LogSerializer> {
  return { req, res, err: readableErr }
}
