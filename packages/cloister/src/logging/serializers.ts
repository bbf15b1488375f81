import { isRecord } from '../functions.ts'
import { kExchange } from '../symbols.ts'

type LogSerializer = (value: unknown) => unknown

/** What a request looks like in the log. */
function req(request: unknown): unknown {
  if (!isRecord(request)) return request
  const { method, url, headers, hostname, host, ip, socket } = request
  return {
    method,
    url,
    version: isRecord(headers) ? headers['accept-version'] : undefined,
    hostname: hostname ?? host,
    remoteAddress: ip,
    remotePort: isRecord(socket) ? socket['remotePort'] : undefined,
  }
}

/** What a reply looks like in the log. A client that went away before it was sent has seen no status. */
function res(reply: unknown): unknown {
  if (!isRecord(reply)) return reply
  const exchange: unknown = Reflect.get(reply, kExchange)
  const isUnseen = isRecord(exchange) && exchange['aborted'] === true && exchange['headersSent'] === false
  return { statusCode: isUnseen ? null : reply['statusCode'] }
}

/** What an error looks like in the log: its type, message, stack, own members, and the chain of causes. */
function err(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error
  const own: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(error)) {
    own[key] = value instanceof Error && depth < 5 ? err(value, depth + 1) : value
  }
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...own,
    ...(error.cause === undefined || depth >= 5 ? {} : { cause: err(error.cause, depth + 1) }),
  }
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
