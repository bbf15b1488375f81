import { clearInterval, clearTimeout, nextTurn, setInterval, setTimeout } from '../../platform.ts'
import type { Connections } from './connections.ts'
import type { AnyServer } from './create-server.ts'

const SWEEP_MS = 20
/** The time for a server to notice that its last connection has closed, in milliseconds. */
const SETTLE_MS = 300
/** The longest time to accept connections that the kernel has completed, in milliseconds. */
const ACCEPT_MS = 1000

export interface DrainOptions {
  /** `true` closes every connection at once; with `false` clients close idle ones */
  readonly force: boolean | 'idle'
  /** the time for responses in flight, in milliseconds; 0 means no limit */
  readonly graceMs: number
  /** called with the number of connections that are closed by force */
  readonly onCut: (count: number) => void
}

/**
 * Closes a server. It accepts the connections that wait, and then no new ones. Idle connections are closed at once and repeatedly as responses
 * complete; after the grace period all remaining connections are closed.
 */
export async function closeServer(
  server: AnyServer,
  connections: Connections,
  { force, graceMs, onCut }: DrainOptions,
): Promise<void> {
  if (!server.listening) return
  // The close of another server of the app may close this one first.
  let noteEnd = (): void => {}
  const ended = new Promise<void>((resolve) => {
    noteEnd = resolve
    server.once('close', noteEnd)
  })
  const since = performance.now()
  connections.endAfterResponses()
  if (force !== true) {
    // As Node does when a server is closed.
    closeIdle(server)
    await acceptWaiting(server, graceMs === 0 ? ACCEPT_MS : Math.min(graceMs, ACCEPT_MS))
  }
  let timer: NodeJS.Timeout | undefined
  const closed = new Promise<void>((resolve, reject) => {
    const cut = (): void => {
      onCut(connections.open.size)
      connections.destroyAll()
      // A server from `serverFactory` may never report that it has closed.
      timer = setTimeout(resolve, SETTLE_MS)
    }
    if (graceMs > 0) timer = setTimeout(cut, Math.max(1, since + graceMs - performance.now()))
    void ended.then(resolve)
    if (server.listening) server.close((error) => (error === undefined ? resolve() : reject(error)))
  })
  const closeIdleOnes = (): void => {
    // Not immediately: a request in transit gets a response saying that the app is closing.
    connections.sessions.close()
    // A connection may have been accepted, with its handshake still in progress, when all others were closed.
    if (force === true) connections.destroyOpen()
    if (force !== 'idle') return
    closeIdle(server)
    connections.closeSilent()
  }
  // After a long turn the loop runs timers before it reads sockets. A connection whose request has arrived is not idle.
  const sweep = setInterval(() => void nextTurn().then(closeIdleOnes), SWEEP_MS)
  if (force === true) connections.destroyOpen()
  try {
    await closed
  } finally {
    clearInterval(sweep)
    clearTimeout(timer)
    // The server of a `serverFactory` may go on, for the next app.
    server.off('close', noteEnd)
  }
}

/**
 * Accepts the connections that clients have opened already. Node accepts one per turn of the loop, and the kernel resets
 * the rest when the server is closed.
 */
async function acceptWaiting(server: AnyServer, mostMs: number): Promise<void> {
  let hasAccepted = true
  const note = (): void => {
    hasAccepted = true
  }
  const end = performance.now() + mostMs
  server.on('connection', note)
  while (hasAccepted && performance.now() < end) {
    hasAccepted = false
    await nextTurn()
  }
  server.off('connection', note)
}

/** Servers from `serverFactory` and HTTP/2 servers may lack this method. */
function closeIdle(server: Partial<Pick<AnyServer, 'closeIdleConnections'>>): void {
  server.closeIdleConnections?.()
}
