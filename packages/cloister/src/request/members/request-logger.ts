import { createError } from '../../errors.ts'
import { rawRequestOrView } from '../../exchange/node-access.ts'
import { isLate } from '../../guards.ts'
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
    const child = createChildLogger(app.logger, bindings, options)
    if (isLate(child)) throw createError('CALLBACK_NOT_SYNC', { name: 'child of the logger' })
    return child
  }
  const child: unknown = childLoggerFactory.call(
    context.instance,
    app.logger,
    bindings,
    options,
    rawRequestOrView(request[kExchange]),
  )
  if (isLate(child)) throw createError('CALLBACK_NOT_SYNC', { name: 'childLoggerFactory' })
  assertLogger(child)
  return child
}
