// What the machine does to a server: a log that cannot be written, connections that break.
import { EventEmitter } from 'node:events'
import { describe, expect, vi } from 'vitest'
import { openSocket, rawSocket } from '../harness/raw-socket.ts'
import { never, tick } from '../harness/time.ts'
import { ours, useApps } from '../harness/transports.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

class DiskFull extends Error {
  readonly code = 'ENOSPC'
}

describe('listen: faults of the machine', () => {
  const createApp = useApps()
  const test = ours('faults are not injected into the peers')

  for (const [phase, bytes] of [
    ['before the head', ''],
    ['in the head', 'GET / HTTP/1.1\r\nHo'],
    ['in the body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nab'],
    ['before the answer', 'GET /never HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['between requests', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ] as const) {
    test(`a reset ${phase} ends that connection alone`, async () => {
      const app = createApp()
      app.get('/', () => 'served')
      app.get('/never', () => never())
      app.post('/', (request) => request.body)
      const socket = await openSocket(app)
      socket.on('error', () => {})
      if (bytes !== '') socket.write(bytes)
      for (let turns = 0; turns < 5; turns++) await tick()
      socket.resetAndDestroy()
      expect((await rawSocket(app, GET)).body).toBe('served')
      await vi.waitFor(async () => {
        const open = await new Promise((resolve) => {
          app.server.getConnections((_error, count) => resolve(count))
        })
        expect(open).toBe(0)
      })
    })
  }

  test('a log whose every write throws ends requests with 500, and no process', async () => {
    let isFull = false
    const stream = {
      write() {
        if (isFull) throw new DiskFull('no space left on device')
      },
    }
    const app = createApp({ logger: { level: 'info', stream } })
    app.get('/', () => 'served')
    expect((await rawSocket(app, GET)).body).toBe('served')
    isFull = true
    const answers = [await rawSocket(app, GET), await rawSocket(app, GET)]
    isFull = false
    expect(answers.map(({ status }) => status)).toEqual([500, 500])
    expect((await rawSocket(app, GET)).body).toBe('served')
  })

  test('a log that emits an error and takes no more costs no answer', async () => {
    const stream = Object.assign(new EventEmitter(), { write: () => false })
    stream.on('error', () => {})
    const app = createApp({ logger: { level: 'info', stream } })
    app.get('/', () => 'served')
    stream.emit('error', new DiskFull('no space left on device'))
    expect((await rawSocket(app, GET)).body).toBe('served')
  })
})
