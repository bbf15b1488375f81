// What the machine does to a server: a log that cannot be written, connections that break.
import { EventEmitter } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { pino } from 'pino'
import { describe, expect, vi } from 'vitest'
import { openSocket, rawSocket } from '../harness/raw-socket.ts'
import { never, tick } from '../harness/time.ts'
import { ours, useApps } from '../harness/transports.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

class DiskFull extends Error {
  readonly code = 'ENOSPC'
}

/** Every write to this device fails with ENOSPC. */
const FULL = '/dev/full'

const FULL_DISKS: readonly (readonly [kind: string, makeLogger: () => Record<string, unknown>])[] =
  existsSync(FULL)
    ? [
        ['a file', () => ({ logger: { file: FULL } })],
        ['a stream of Node', () => ({ logger: { stream: createWriteStream(FULL) } })],
        ['an instance of pino', () => ({ loggerInstance: pino({}, pino.destination(FULL)) })],
        [
          'an instance that writes later',
          () => ({ loggerInstance: pino({}, pino.destination({ dest: FULL, sync: false })) }),
        ],
        [
          'several destinations',
          () => ({ logger: { stream: pino.multistream([{ stream: pino.destination(FULL) }]) } }),
        ],
      ]
    : []

describe('listen: faults of the machine', () => {
  const createApp = useApps()
  const test = ours('faults are not injected into the peers')

  for (const [phase, bytes] of [
    ['before the head', ''],
    ['in the head', 'GET / HTTP/1.1\r\nHo'],
    ['in the body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nab'],
    ['before the response', 'GET /never HTTP/1.1\r\nHost: x\r\n\r\n'],
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

  test('a log whose every write throws costs no response, and is a warning', async () => {
    const warnings: Error[] = []
    const note = (warning: Error): void => void warnings.push(warning)
    process.on('warning', note)
    let isFull = false
    const stream = {
      write() {
        if (isFull) throw new DiskFull('no space left on device')
      },
    }
    const app = createApp({ logger: { level: 'info', stream } })
    app.get('/', (request) => {
      request.log.info('a line of the handler')
      return 'served'
    })
    app.get('/fails', async () => {
      throw Object.assign(new Error('on purpose'), { statusCode: 418 })
    })
    expect((await rawSocket(app, GET)).body).toBe('served')
    isFull = true
    expect((await rawSocket(app, GET)).body).toBe('served')
    expect((await rawSocket(app, GET.replace('/', '/fails'))).status).toBe(418)
    expect((await rawSocket(app, GET.replace('/', '/nowhere'))).status).toBe(404)
    process.off('warning', note)
    expect(warnings.map((warning) => [warning.name, warning.message])).toEqual([
      ['CloisterWarning', expect.stringContaining('no space left on device')],
    ])
  })

  for (const [kind, makeLogger] of FULL_DISKS) {
    test(`a log on a full disk costs no response: ${kind}`, async () => {
      const app = createApp(makeLogger())
      app.get('/', () => 'served')
      for (let turn = 0; turn < 3; turn++) {
        expect((await rawSocket(app, GET)).body).toBe('served')
        await tick()
      }
    })
  }

  test('a destination of pino that wants the data of its lines gets them', async () => {
    const levels: unknown[] = []
    const stream = {
      lastLevel: 0,
      [Symbol.for('pino.metadata')]: true,
      write() {
        levels.push(this.lastLevel)
      },
    }
    const app = createApp({ logger: { level: 'warn', stream } })
    app.log.warn('a')
    app.log.error('b')
    expect(levels).toEqual([40, 50])
  })

  test('a log that emits an error and takes no more costs no response', async () => {
    const stream = Object.assign(new EventEmitter(), { write: () => false })
    const app = createApp({ logger: { level: 'info', stream } })
    app.get('/', () => 'served')
    stream.emit('error', new DiskFull('no space left on device'))
    expect((await rawSocket(app, GET)).body).toBe('served')
  })
})
