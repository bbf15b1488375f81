import { tracingChannel, type TracingChannel } from 'node:diagnostics_channel'

/** The message of each tracing event of a handler or a request. */
export type Trace = Record<string, unknown>

/** The channels of handlers, with the name that tracing tools for Fastify subscribe to. */
export const handlerChannels: TracingChannel<string, Trace> = tracingChannel('fastify.request.handler')

/** The channels of whole requests, from the arrival of the head to the end of the exchange. */
export const requestChannels: TracingChannel<string, Trace> = tracingChannel('cloister.request')

/** The channels of lines that pino makes, for tools that read or change them. */
export const lineChannels: TracingChannel<string, Trace> = /* @__PURE__ */ tracingChannel('pino_asJson')
