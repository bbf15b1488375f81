import { kErrorDepth, kPlan } from '../../symbols.ts'
import { ReplyImpl } from '../reply.ts'

/** `app.errorHandler` where the application has set none: the framework's own answer, past all other handlers. */
export function defaultErrorHandler(error: unknown, _request: unknown, reply: unknown): void {
  if (!(reply instanceof ReplyImpl)) return
  const plan = reply[kPlan]
  reply[kErrorDepth] = plan.errorHandlers.length
  plan.fail(reply, error)
}
