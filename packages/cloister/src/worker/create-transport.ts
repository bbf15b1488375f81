import { createError } from '../errors.ts'
import type { createTransport as replaced } from '../transport/create-transport.ts'
import type { Listening, ServingLane, Transport } from '../transport/transport.ts'

/** Where the platform has the sockets: requests come through `app.fetch` alone. */
class WorkerTransport implements Transport {
  readonly addresses: [] = []
  readonly origin: string = ''
  readonly node: null = null

  get lane(): ServingLane {
    return refuse('app.transport')
  }

  listen(): Promise<Listening> {
    return refuse('app.listen')
  }

  /** Nothing listens. */
  async stop(): Promise<void> {}
}

function refuse(what: string): never {
  throw createError('TRANSPORT_UNSUPPORTED', {
    what,
    instead: "app.fetch, as in 'export default { fetch: app.fetch }'",
  })
}

/** Makes the transport of an app in a worker. */
export const createTransport: typeof replaced = () => new WorkerTransport()
