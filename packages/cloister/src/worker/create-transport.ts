import { createError } from '../errors.ts'
import type { createTransport as replaced } from '../transport/create-transport.ts'
import type { Listening, Transport } from '../transport/transport.ts'
import type { AppTransport } from '../types/server.ts'

/** The transport for platforms that own the sockets: requests arrive through `app.fetch` only. */
class WorkerTransport implements Transport {
  readonly addresses: [] = []
  readonly origin: string = ''
  readonly node: null = null

  get lane(): AppTransport {
    return refuse('app.transport')
  }

  listen(): Promise<Listening> {
    return refuse('app.listen')
  }

  async stop(): Promise<void> {}
}

function refuse(what: string): never {
  throw createError('TRANSPORT_UNSUPPORTED', {
    what,
    instead: "app.fetch, as in 'export default { fetch: app.fetch }'",
  })
}

export const createTransport: typeof replaced = () => new WorkerTransport()
