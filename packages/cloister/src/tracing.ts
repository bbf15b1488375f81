import { tracingChannel, type TracingChannel } from 'node:diagnostics_channel'

/** The message that tracing tools get with each event of a handler, or of a request. */
export type Trace = Record<string, unknown>

/** The channels of handlers, under the name to which the tracing tools for Fastify subscribe. */
export const handlerChannels: TracingChannel<string, Trace> = tracingChannel('fastify.request.handler')

/** The channels of whole requests: from the head that has arrived to the end of the exchange. */
export const requestChannels: TracingChannel<string, Trace> = tracingChannel('cloister.request')
