import { kErrorDepth, kPlan } from '../../symbols.ts'
import { ReplyImpl } from '../reply.ts'

/**
 * The value of `app.errorHandler` where the application has set none: sends the framework's error response, past all
 * other handlers.
 */
export function defaultErrorHandler(error: unknown, _request: unknown, reply: unknown): void {
  if (!(reply instanceof ReplyImpl)) return
  const plan = reply[kPlan]
  reply[kErrorDepth] = plan.errorHandlers.length
  plan.fail(reply, error)
}
