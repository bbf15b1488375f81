// What subscribers of the diagnostics channels of `node:http` get for each request, and the stages of the app between,
// each with the store that the first subscriber has entered.
import { AsyncLocalStorage } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as TlsServer } from 'node:https'

/** The channels of `node:http`; on Node 20 nothing publishes on the second one. */
const CHANNELS = [
  'http.server.request.start',
  'http.server.response.created',
  'http.server.response.finish',
] as const
type Name = (typeof CHANNELS)[number]

interface Message {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly socket?: unknown
  readonly server?: unknown
}

/** One event of a request. */
export interface Note {
  readonly what: string
  readonly store: string | undefined
}

/** The id of a request, the last segment of its path. */
export const idOf = (url: string | undefined): string => url?.split('?')[0]?.split('/').at(-1) ?? ''

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'request' in value && 'response' in value
}

/** What a message is made of: the objects of Node for one and the same request. */
function shapeOf({ request, response, socket, server }: Message): string {
  const facts = {
    request: request instanceof IncomingMessage,
    response: response instanceof ServerResponse && response.req === request,
    socket: socket === undefined ? 'none' : request.socket === socket,
    server: server === undefined ? 'none' : server instanceof Server || server instanceof TlsServer,
    lines: request.rawHeaders.length,
  }
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

const stateOf = (name: Name, { response }: Message): string =>
  name === 'http.server.response.finish'
    ? `${response.statusCode} sent ${response.headersSent} ended ${response.writableEnded} finished ${response.writableFinished} destroyed ${response.destroyed}`
    : `sent ${response.headersSent} ended ${response.writableEnded}`

/** Subscribes to the channels, and notes what happens to each request. */
export class Notes {
  readonly byId: Map<string, Note[]> = new Map()
  readonly storage: AsyncLocalStorage<string> = new AsyncLocalStorage<string>()
  readonly #stop: (() => void)[] = []

  /** The store that a request gets. Some get none: they must not see that of another request. */
  static storeOf(id: string): string | undefined {
    return Number(id) % 3 === 0 ? undefined : id
  }

  constructor() {
    for (const name of CHANNELS) {
      const listener = (message: unknown): void => {
        if (isMessage(message)) this.#take(name, message)
      }
      diagnostics.subscribe(name, listener)
      this.#stop.push(() => diagnostics.unsubscribe(name, listener))
    }
  }

  #take(name: Name, message: Message): void {
    const { request, response } = message
    const id = idOf(request.url)
    if (name === 'http.server.request.start') {
      const store = Notes.storeOf(id)
      if (store !== undefined) this.storage.enterWith(store)
      // What tracers listen to, added before anything else.
      response.once('finish', () => this.add(id, 'event finish'))
      response.once('close', () => this.add(id, `event close ${response.statusCode}`))
    }
    this.add(id, `${name} ${request.method}: ${stateOf(name, message)} (${shapeOf(message)})`)
  }

  add(id: string, what: string): void {
    const notes = this.byId.get(id) ?? []
    this.byId.set(id, [...notes, { what, store: this.storage.getStore() }])
  }

  stop(): void {
    for (const stop of this.#stop) stop()
  }
}
