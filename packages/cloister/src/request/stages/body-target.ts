import { isError } from '../../errors.ts'
import type { BodyReceiver, Content } from '../../exchange/exchange.ts'
import { kBodyBytes, kExchange } from '../../symbols.ts'
import { ownStatus } from '../errors/error-payload.ts'
import type { ReplyImpl } from '../reply.ts'

/** Stores a body with its request, where the parser finds it. */
export class BodyTarget implements BodyReceiver {
  private readonly reply: ReplyImpl

  constructor(reply: ReplyImpl) {
    this.reply = reply
  }

  receive(content: Content): void {
    this.reply.request[kBodyBytes] = content
  }

  refuse(error: unknown): unknown {
    return closing(this.reply, asClientFault(this.reply, error))
  }
}

/** A body that cannot be read is the client's mistake, unless the error has a status of its own. */
function asClientFault(reply: ReplyImpl, error: unknown): unknown {
  if (ownStatus(error) !== undefined) return error
  if (!isError(error) || !Reflect.set(error, 'statusCode', 400)) reply.code(400)
  return error
}

/** What is left of a refused body must never be read as the next request: the connection ends with the response. */
export function closing(reply: ReplyImpl, error: unknown): unknown {
  reply[kExchange].endConnection()
  return error
}
