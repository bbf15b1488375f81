import type { compileWhenIdle as idleCompiler } from '../boot/compile-when-idle.ts'
import { createError } from '../errors.ts'
import type {
  assertSignal as signalCheck,
  readListenTarget as targetReader,
} from '../transport/listen-options.ts'
import type { createTransport as transportCreator } from '../transport/create-transport.ts'

function refuse(what: string): never {
  throw createError('TRANSPORT_UNSUPPORTED', {
    what,
    instead: "app.fetch, as in 'export default { fetch: app.fetch }'",
  })
}

/** The platform owns the sockets: requests arrive through `app.fetch` only. */
export const createTransport: typeof transportCreator = () => ({
  addresses: [],
  origin: '',
  node: null,
  laneCost: null,
  get lane() {
    return refuse('app.transport')
  },
  listen: () => refuse('app.listen'),
  stop: async () => {},
})

/** Does nothing: a worker can't generate code, and has no time between requests. */
export const compileWhenIdle: typeof idleCompiler = () => {}

/** Nothing listens in a worker; see `createTransport`. */
export const readListenTarget: typeof targetReader = () => refuse('app.listen')

/** See {@link readListenTarget}, which is called next. */
export const assertSignal: typeof signalCheck = () => {}
