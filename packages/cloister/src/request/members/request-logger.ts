import { atOnce } from '../../errors.ts'
import { rawRequestOrView } from '../../exchange/node-access.ts'
import { assertLogger, type Logger } from '../../logging/logger.ts'
import { createChildLogger } from '../../logging/request-log.ts'
import { kExchange, kPlan } from '../../symbols.ts'
import type { RequestState } from '../state.ts'

/** The logger of one request: a child with its id, and the level and serializers of its route. */
export function createRequestLogger(request: RequestState): Logger {
  const { app, context, logLevel, logSerializers, childLoggerFactory } = request[kPlan]
  if (!app.hasLogger && childLoggerFactory === null) return app.logger
  const bindings = { [app.logController.requestIdLogLabel]: request.id }
  // Options, even empty ones, make pino set its child up anew.
  if (app.isPino && childLoggerFactory === null && logLevel === '' && logSerializers === null) {
    return app.logger.child(bindings)
  }
  const options: Record<string, unknown> = {}
  if (logLevel !== '') options['level'] = logLevel
  if (logSerializers !== null) options['serializers'] = logSerializers
  if (childLoggerFactory === null) {
    return atOnce(createChildLogger(app.logger, bindings, options), 'child of the logger')
  }
  const child: unknown = childLoggerFactory.call(
    context.instance,
    app.logger,
    bindings,
    options,
    rawRequestOrView(request[kExchange]),
  )
  atOnce(child, 'childLoggerFactory')
  assertLogger(child)
  return child
}
