import { createError } from '../../errors.ts'
import { MAX_DELAY_MS, integer, oneOf, timer } from '../kinds.ts'
import { option, type OptionRows } from '../option-row.ts'

export const timeoutOptions: OptionRows = {
  pluginTimeout: option(timer, 10_000, {
    doc: 'Limits the time that a plugin may take to load; the error names what the plugin waits for. 0 sets no limit.',
    shown: 'always',
  }),
  handlerTimeout: option(timer, 0, {
    doc: 'Limits the time until the response head is sent; then the client gets the status 503 and `request.signal` is aborted. 0 sets no limit.',
    fastify4: '5.x',
    strict: 30_000,
    example: '{ handlerTimeout: 5_000 }',
    shown: 'always',
    route: {
      doc: 'Limits the time until the response head is sent; then the client gets the status 503 and `request.signal` is aborted.',
      // Route options are written in code, not read from the environment.
      kind: integer({ min: 1, max: MAX_DELAY_MS, unit: 'milliseconds', digits: false }),
      refuse: (given) => createError('ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT', { value: String(given) }),
    },
  }),
  heartbeatMs: option(timer, 15_000, {
    doc: "Sends a comment on a generator's event stream that has been silent for this time, so that no proxy closes it. 0 sends none.",
    fastify4: 'ours',
    example: '{ heartbeatMs: 30_000 }',
    route: {
      doc: 'Sends a comment on an event stream that has been silent for this time. 0 sends none.',
    },
  }),
  unsentReply: option(oneOf('wait', 'continue'), 'wait', {
    doc: "Sets what `await` does with an unsent reply: `'wait'` waits for its response, so an awaited helper that returns the reply never continues; `'continue'` continues. With both, handlers and hooks that send later must return the reply.",
    fastify4: 'ours: waits',
    strict: 'continue',
    example: "{ unsentReply: 'continue' }",
  }),
}
