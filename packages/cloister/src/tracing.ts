import { tracingChannel } from 'node:diagnostics_channel'
import type { TracingChannel } from 'node:diagnostics_channel'

/** The message that tracing tools get with each event of a handler. */
export type Trace = Record<string, unknown>

/** The channels of handlers, under the name to which the tracing tools for Fastify subscribe. */
export const handlerChannels: TracingChannel<string, Trace> = tracingChannel('fastify.request.handler')
