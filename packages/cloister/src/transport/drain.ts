import type { AnyServer } from './create-server.ts'

const SWEEP_MS = 20

/**
 * Closes a server: no new connections; idle ones are closed at once, and again and again as answers complete; after
 * the grace period what is left is cut.
 *
 * @param force - `true` cuts every connection at once, `false` leaves idle ones to their clients
 */
export async function closeServer(
  server: AnyServer,
  force: boolean | 'idle',
  graceMs: number,
): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
  })
  if (force === true) closeAll(server)
  const sweep = setInterval(() => {
    if (force === 'idle') closeIdle(server)
  }, SWEEP_MS)
  const cut = graceMs === 0 ? undefined : setTimeout(() => closeAll(server), graceMs)
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
