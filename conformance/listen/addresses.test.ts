// `localhost` has two addresses on most machines: a server for each, and one app behind them.
import { once } from 'node:events'
import dns from 'node:dns/promises'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import type { Socket } from 'node:net'
import type { App } from '../harness/app-shape.ts'
import { ours, useApps } from '../harness/transports.ts'

/** Machines have at least two of them, whatever their file of hosts says. */
const LOOPBACK = ['127.0.0.1', '127.0.0.2', '::1']

interface Place {
  readonly host: string
  readonly port: number
}

const PLAIN = 'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'
const UPGRADE = 'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n\r\n'

/** Sends bytes, and returns all that comes until the connection ends. */
async function send({ host, port }: Place, bytes: string): Promise<string> {
  const socket = connect({ host, port })
  socket.write(bytes)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

describe('listen: the addresses of localhost', () => {
  const createApp = useApps({ forceCloseConnections: 'idle' })
  beforeEach(() => {
    vi.spyOn(dns, 'lookup').mockImplementation(
      async () => LOOPBACK.map((address) => ({ address, family: 0 })) as never,
    )
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  async function listen(app: App): Promise<Place[]> {
    await app.listen({ port: 0 })
    const places = app.addresses().map(({ address, port }) => ({ host: address, port }))
    expect(places.length).toBeGreaterThan(1)
    return places
  }

  const it = ours('the peer looks the addresses up by another function')

  it('are all closed by close()', async () => {
    const app = createApp()
    app.get('/', () => 'here')
    const places = await listen(app)
    for (const place of places) expect(await send(place, PLAIN)).toMatch(/here$/)
    await app.close()
    for (const place of places) await expect(send(place, PLAIN)).rejects.toThrow(/ECONNREFUSED/)
  })

  it('have close() wait for the requests that came to any of them', async () => {
    const app = createApp()
    const begun: (() => void)[] = []
    app.get('/', () => new Promise((resolve) => begun.push(() => resolve('here'))))
    const places = await listen(app)
    const responses = places.map((place) => send(place, PLAIN))
    await vi.waitFor(() => expect(begun).toHaveLength(places.length))
    let isClosed = false
    const closed = app.close().then(() => {
      isClosed = true
    })
    for (const end of begun) {
      await new Promise((resolve) => {
        setTimeout(resolve, 100)
      })
      expect(isClosed).toBe(false)
      end()
    }
    await closed
    for (const response of responses) expect(await response).toMatch(/here$/)
  })

  it('are closed with the server, if the application closes that', async () => {
    const app = createApp()
    app.get('/', () => 'here')
    const places = await listen(app)
    app.server.close()
    await once(app.server, 'close')
    for (const place of places) await expect(send(place, PLAIN)).rejects.toThrow(/ECONNREFUSED/)
  })

  it('respond to requests for a protocol that the app does not speak', async () => {
    const app = createApp()
    app.get('/', () => 'here')
    for (const place of await listen(app)) expect(await send(place, UPGRADE)).toMatch(/here$/)
  })

  it('pass requests for another protocol to the listeners of the server, however late these come', async () => {
    const app = createApp()
    const places = await listen(app)
    app.server.on('upgrade', (_request: unknown, socket: Socket) => socket.end('taken'))
    for (const place of places) expect(await send(place, UPGRADE)).toBe('taken')
  })
})
