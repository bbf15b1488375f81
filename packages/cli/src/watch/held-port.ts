import type { ChildProcess } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

import { CommandError } from '../session.ts'

const MAX_WAITING = 1000

/**
 * A port that stays open while the app behind it is replaced. Connections go to the process of the app; without a
 * process, they wait unread.
 */
export class HeldPort {
  readonly #servers: Server[] = []
  readonly #waiting = new Set<Socket>()
  #app: ChildProcess | null = null

  /**
   * Listens.
   *
   * @param host - `undefined` for every address of `localhost`
   * @returns the port
   * @throws CommandError with the code 3
   */
  async listen(port: number, host: string | undefined): Promise<number> {
    const addresses =
      host === undefined || host === 'localhost'
        ? (await lookup('localhost', { all: true })).map(({ address }) => address)
        : [host]
    let taken = port
    for (const [index, address] of addresses.entries()) {
      const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#take(socket))
      try {
        await once(server.listen(taken, address), 'listening')
      } catch (error) {
        // A machine may resolve `localhost` to an IPv6 address that it does not have.
        if (index > 0) continue
        const reason = error instanceof Error ? error.message : String(error)
        throw new CommandError(3, `the app cannot listen: ${reason}\n`, error)
      }
      const found = server.address()
      if (typeof found === 'object' && found !== null) taken = found.port
      this.#servers.push(server)
    }
    return taken
  }

  /** Sends connections to the process of an app, waiting ones first; `null` makes them wait. */
  leadTo(app: ChildProcess | null): void {
    this.#app = app
    if (app === null) return
    for (const socket of this.#waiting) hand(socket, app)
    this.#waiting.clear()
  }

  close(): void {
    for (const server of this.#servers) server.close()
    for (const socket of this.#waiting) socket.destroy()
  }

  #take(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    if (this.#app !== null) hand(socket, this.#app)
    else if (this.#waiting.size >= MAX_WAITING) socket.destroy()
    else {
      this.#waiting.add(socket)
      socket.once('close', () => this.#waiting.delete(socket))
    }
  }
}

function hand(socket: Socket, app: ChildProcess): void {
  if (!socket.destroyed) app.send('connection', socket, (error) => error !== null && socket.destroy())
}
