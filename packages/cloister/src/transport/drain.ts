import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'

import type { AnyServer } from './create-server.ts'

const SWEEP_MS = 20
/** The first request may be on its way over a new connection; over one as old as this it is not. */
const SILENT_MS = 500

/**
 * The connections of servers by the time they were opened: Node does not count those as idle that never said a word,
 * and keeps no list of HTTP/2 sessions.
 */
export class Connections {
  readonly #openedAt = new Map<Socket, number>()
  readonly #sessions = new Set<ServerHttp2Session>()

  /** Counts the connections of a server from now on. */
  watch(server: Pick<AnyServer, 'on'>): void {
    server.on('connection', (socket: Socket) => {
      this.#openedAt.set(socket, performance.now())
      socket.once('close', () => this.#openedAt.delete(socket))
    })
    server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session)
      session.once('close', () => this.#sessions.delete(session))
    })
  }

  /** HTTP/2 sessions take no new requests and end with the last answer. */
  closeSessions(): void {
    for (const session of this.#sessions) session.close()
  }

  /** Cuts the HTTP/2 sessions that are left. */
  destroySessions(): void {
    for (const session of this.#sessions) session.destroy()
  }

  /** Closes those on which nothing has ever come. */
  closeSilent(): void {
    const latest = performance.now() - SILENT_MS
    for (const [socket, openedAt] of this.#openedAt) {
      if (socket.bytesRead === 0 && openedAt < latest) socket.destroy()
    }
  }
}

/**
 * Closes a server: no new connections; idle ones are closed at once, and again and again as answers complete; after
 * the grace period what is left is cut.
 *
 * @param force - `true` cuts every connection at once, `false` leaves idle ones to their clients
 */
export async function closeServer(
  server: AnyServer,
  connections: Connections,
  force: boolean | 'idle',
  graceMs: number,
): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
  })
  if (force === true) {
    closeAll(server)
    connections.closeSessions()
  }
  const sweep = setInterval(() => {
    if (force !== 'idle') return
    closeIdle(server)
    connections.closeSilent()
    // Not at once: a request that is on its way is told that the app closes.
    connections.closeSessions()
  }, SWEEP_MS)
  const cutAll = (): void => {
    closeAll(server)
    connections.destroySessions()
  }
  const cut = graceMs === 0 ? undefined : setTimeout(cutAll, graceMs)
  if (force === 'idle') closeIdle(server)
  try {
    await closed
  } finally {
    clearInterval(sweep)
    clearTimeout(cut)
  }
}

/** Servers of the application's own making, and HTTP/2 ones, may lack these methods. */
function closeIdle(server: Partial<Pick<AnyServer, 'closeIdleConnections'>>): void {
  server.closeIdleConnections?.()
}

function closeAll(server: Partial<Pick<AnyServer, 'closeAllConnections'>>): void {
  server.closeAllConnections?.()
}
