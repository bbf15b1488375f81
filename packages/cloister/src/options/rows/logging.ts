import { anything, callback, either, flag, requestIdHeader, text } from '../kinds.ts'
import { option, type OptionRows } from '../option-row.ts'

export const loggingOptions: OptionRows = {
  logger: option(anything('boolean | LoggerConfig | BaseLogger'), false, {
    doc: 'Turns on logging: `true`, options of pino (with `stream` or `file`), or a logger.',
    throws: ['LOG_INVALID_DESTINATION', 'LOG_INVALID_LOGGER'],
    example: "{ logger: { level: 'info' } }",
  }),
  loggerInstance: option(anything('BaseLogger'), undefined, {
    doc: 'Sets a logger, instead of `logger`.',
    fastify4: '5.x',
    throws: ['LOG_INVALID_LOGGER_INSTANCE', 'LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED'],
  }),
  disableRequestLogging: option(either(flag, callback('(request: FastifyRequest) => boolean')), false, {
    doc: 'Omits log lines about requests and their errors; a function decides per request.',
    fastify4: 'same; the function is from 5.x',
    example: "{ disableRequestLogging: (request) => request.url === '/health' }",
    shown: 'always',
  }),
  logController: option(anything('RequestLogController | undefined'), null, {
    doc: 'Writes the log lines about requests: an instance of `LogController`, or of a class that extends it. `disableRequestLogging` and `requestIdLogLabel` are then options of its constructor.',
    fastify4: '5.x',
    throws: ['LOG_INVALID_LOG_CONTROLLER'],
  }),
  childLoggerFactory: option(callback('ChildLoggerFactory'), null, {
    doc: "Creates the logger of a request, from the parent logger, bindings, options and Node's request.",
    fastify4: '5.x; 4.x has the setter',
  }),
  requestIdHeader: option(requestIdHeader, 'request-id', {
    doc: "Names the header of the request id. `false` ignores clients' ids; `true` is the default header.",
    fastify4: 'same (5.x: `false`)',
    example: "{ requestIdHeader: 'x-request-id' }",
    shown: 'always',
  }),
  requestIdLogLabel: option(text, 'reqId', {
    doc: 'Sets the key of the request id in log lines.',
    shown: 'always',
  }),
  genReqId: option(callback('(request: RawRequestOf) => string'), null, {
    doc: 'Generates the request id (`request.id`); the default ids are `req-1`, `req-2`, ….',
    fastify4: 'same; if it throws, the error is logged and the request gets its default id',
    example: '{ genReqId: () => crypto.randomUUID() }',
  }),
}
