import { kExchange, kPlan } from '../symbols.ts'
import type { ReplyImpl } from '../request/reply.ts'
import type { RequestImpl } from '../request/request.ts'
import type { RoutePlan } from '../request/route-plan.ts'
import { isFunction } from '../functions.ts'
import { assertLogger } from './logger.ts'
import type { Logger } from './logger.ts'

/** The logger of one request: a child with its id, and the level and serializers of its route. */
export function createRequestLogger(request: RequestImpl): Logger {
  const { app, context, logLevel, logSerializers, childLoggerFactory } = request[kPlan]
  if (!app.hasLogger && childLoggerFactory === null) return app.logger
  const bindings = { [app.options.requestIdLogLabel]: request.id }
  const options: Record<string, unknown> = {}
  if (logLevel !== '') options['level'] = logLevel
  if (logSerializers !== null) options['serializers'] = logSerializers
  if (childLoggerFactory === null) return createChildLogger(app.logger, bindings, options)
  const child: unknown = childLoggerFactory.call(
    context.instance,
    app.logger,
    bindings,
    options,
    request[kExchange].rawRequest,
  )
  assertLogger(child)
  return child
}

/** `app.childLoggerFactory` where the application has set none. */
export function createChildLogger(
  logger: Logger,
  bindings: Record<string, unknown>,
  options: Record<string, unknown>,
): Logger {
  return logger.child(bindings, options)
}

/** Tells whether the lines about one request are wanted; `disableRequestLogging` may decide per request. */
export function logsRequest(plan: RoutePlan, request: RequestImpl): boolean {
  const { disableRequestLogging } = plan.app.options
  return !(isFunction(disableRequestLogging)
    ? disableRequestLogging(request) === true
    : disableRequestLogging)
}

export function logIncoming(request: RequestImpl): void {
  request.log.info({ req: request }, 'incoming request')
}

export function logCompleted(reply: ReplyImpl, error: Error | null, isAborted: boolean): void {
  const { log, elapsedTime: responseTime } = reply
  if (error === null) log.info({ res: reply, responseTime }, 'request completed')
  else if (isAborted) log.info({ res: reply, responseTime }, 'request aborted')
  else log.error({ res: reply, err: error, responseTime }, 'request errored')
}

/** The line about an error that the framework answers itself: `info` for the client's faults, `error` for ours. */
export function logError(reply: ReplyImpl, error: Error): void {
  if (!logsRequest(reply[kPlan], reply.request)) return
  if (reply.statusCode < 500) reply.log.info({ res: reply, err: error }, error.message)
  else reply.log.error({ req: reply.request, res: reply, err: error }, error.message)
}
