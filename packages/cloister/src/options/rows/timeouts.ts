import { oneOf, timer } from '../kinds.ts'
import { option } from '../option-row.ts'
import type { OptionRows } from '../option-row.ts'

/** Limits on the time of plugins and handlers. */
export const timeoutOptions: OptionRows = {
  pluginTimeout: option(timer, 10_000, {
    doc: 'Limits the time that a plugin may take to load; the error names what the plugin waits for. 0 sets no limit.',
    fastify4: 'same',
    shown: 'always',
  }),
  handlerTimeout: option(timer, 0, {
    doc: 'Limits the time until a request is answered; later, the answer is 503 and `request.signal` is aborted. 0 sets no limit. Routes can set their own.',
    fastify4: '5.x',
    strict: 30_000,
    example: '{ handlerTimeout: 5_000 }',
    shown: 'always',
  }),
  unsentReply: option(oneOf('wait', 'continue'), 'wait', {
    doc: "Sets what `await` does with a reply on which nothing was sent. `'wait'` waits for its response, so that an awaited helper that returns the reply waits for ever; `'continue'` goes on with the reply. Handlers and hooks that send later return the reply in both.",
    fastify4: 'ours: waits',
    strict: 'continue',
    example: "{ unsentReply: 'continue' }",
  }),
}
