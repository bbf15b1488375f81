import { clearInterval, clearTimeout, setInterval, setTimeout } from '../../platform.ts'
import type { Connections } from './connections.ts'
import type { AnyServer } from './create-server.ts'

const SWEEP_MS = 20
/** Time that a server needs to see that its last connection has gone. */
const SETTLE_MS = 300

/** How servers are closed. */
export interface DrainOptions {
  /** `true` cuts every connection at once; with `false` clients close the idle ones */
  readonly force: boolean | 'idle'
  /** time for the responses under way; 0 for any time */
  readonly graceMs: number
  /** called when connections are cut, with their number */
  readonly onCut: (count: number) => void
}

/**
 * Closes a server: no new connections; idle ones are closed at once, and again and again as responses complete; after
 * the grace period what is left is cut, whatever it is.
 */
export async function closeServer(
  server: AnyServer,
  connections: Connections,
  { force, graceMs, onCut }: DrainOptions,
): Promise<void> {
  if (!server.listening) return
  let timer: NodeJS.Timeout | undefined
  const closed = new Promise<void>((resolve, reject) => {
    const cut = (): void => {
      onCut(connections.size)
      connections.destroyAll()
      // A server of the application's own making may never say that it has closed.
      timer = setTimeout(resolve, SETTLE_MS)
    }
    if (graceMs > 0) timer = setTimeout(cut, graceMs)
    connections.endAfterResponses()
    server.close((error) => (error === undefined ? resolve() : reject(error)))
  })
  const sweep = setInterval(() => {
    // Not at once: a request that is on its way gets a response that says that the app closes.
    connections.sessions.close()
    // A connection may have been accepted, and its handshake still be under way, when all the others were cut.
    if (force === true) connections.destroyOpen()
    if (force !== 'idle') return
    closeIdle(server)
    connections.closeSilent()
  }, SWEEP_MS)
  if (force === true) connections.destroyOpen()
  else if (force === 'idle') closeIdle(server)
  try {
    await closed
  } finally {
    clearInterval(sweep)
    clearTimeout(timer)
  }
}

/** Servers of the application's own making, and HTTP/2 ones, may lack this method. */
function closeIdle(server: Partial<Pick<AnyServer, 'closeIdleConnections'>>): void {
  server.closeIdleConnections?.()
}
