// No status, reason or field of an application becomes a line of its own, in whatever head or trailer it is written.
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { App, Reply } from '../../harness/app-shape.ts'
import { describeConnections, describeLanes, describeNodeLanes } from '../lanes.ts'
import type { Asked, Lane } from '../lanes.ts'

const EVIL = 'a\r\nX-Injected: 1'
const VALUES: readonly unknown[] = [EVIL, 'a\nX-Injected: 1', 'a\0b', '\u2028', ['a', EVIL]]
const NAMES = ['x a', 'x\r\nX-Injected: 1\r\na', 'é']
const SENT: Readonly<Record<string, (reply: Reply) => unknown>> = {
  text: () => 'content',
  nothing: () => null,
  'a stream': () => Readable.from(['con', 'tent'], { objectMode: false }),
}

function createApp({ createApp: create }: Lane): App {
  const app = create()
  app.get('/next', () => 'next')
  return app
}

/** One whole response, whatever it says, and the connection goes on, or says that it does not. */
function isWhole({ first, next, faults }: Asked): boolean {
  const closes = first?.fields.get('connection')?.join().includes('close')
  return faults.length === 0 && first?.isComplete === true && (next === 'next' || closes === true)
}

/** Asks for each index of a table; returns what came of those rows that are no whole response with the status. */
async function judge(lane: Lane, app: App, rows: readonly unknown[], status?: number): Promise<unknown[]> {
  const asked = await Promise.all(
    rows.map(async (row, index) => ({ row, ...(await lane.ask(app, { path: `/${index}` })) })),
  )
  const isRight = (one: Asked): boolean =>
    isWhole(one) && (status === undefined || one.first?.status === status)
  return asked.filter((one) => !isRight(one)).slice(0, 2)
}

describeLanes('a field that cannot be written', (lane) => {
  // The code of Node for HTTP/2 keeps some names that were removed, and resets the stream.
  const names = lane.name === 'HTTP/2' ? NAMES.slice(0, 2) : NAMES
  const rows = [
    ...VALUES.map((value) => ['x-a', value] as const),
    ...names.map((name) => [name, 'b'] as const),
  ]
  const setters: Readonly<Record<string, (reply: Reply, name: string, value: unknown) => void>> = {
    'reply.header': (reply, name, value) => void reply.header(name, value),
    'reply.raw.setHeader': ({ raw }, name, value) => void Reflect.apply(raw.setHeader, raw, [name, value]),
  }
  for (const [by, set] of Object.entries(setters).slice(0, lane.hasRaw ? 2 : 1)) {
    for (const [kind, create] of Object.entries(SENT)) {
      it(`makes the response an error: set by ${by}, with ${kind}`, async () => {
        const app = createApp(lane)
        app.get('/:index', (request, reply) => {
          const [name, value] = rows[Number(request.params['index'])] ?? []
          set(reply, String(name), value)
          return reply.send(create(reply))
        })
        expect(await judge(lane, app, rows, 500)).toEqual([])
      })
    }
  }
})

describeConnections('early hints', (lane) => {
  it('have no field that begins another line, and no framing', async () => {
    const app = createApp(lane)
    const rows: readonly Record<string, unknown>[] = [
      { link: '</a.css>; rel=preload', 'x-id': EVIL },
      { link: '</a.css>; rel=preload', 'x\r\nX-Injected: 1\r\na': 'b' },
      { link: '</a.css>; rel=preload', 'content-length': '5' },
      { link: '</a.css>; rel=preload', 'transfer-encoding': 'chunked', 'Content-Length': '5' },
    ]
    app.get('/:index', (request, reply) => {
      Reflect.apply(reply.writeEarlyHints, reply, [rows[Number(request.params['index'])]])
      return 'content'
    })
    expect(await judge(lane, app, rows)).toEqual([])
  })

  for (const [kind, create] of Object.entries(SENT)) {
    it(`are not written within or behind the response: with ${kind}`, async () => {
      const app = createApp(lane)
      app.get('/:index', (_request, reply) => {
        reply.send(create(reply))
        const hint = (): void => reply.writeEarlyHints({ link: '</a.css>; rel=preload' })
        hint()
        process.nextTick(hint)
        setImmediate(hint)
        return reply
      })
      expect(await judge(lane, app, [kind])).toEqual([])
    })
  }
})

const STATUSES: readonly unknown[] = [
  0,
  99,
  100,
  101,
  199,
  1000,
  -1,
  NaN,
  200.5,
  '',
  'abc',
  '200 OK\r\nX-Injected: 1',
  null,
  Infinity,
  {},
  [204],
  true,
]
const REASONS: readonly unknown[] = [EVIL, 'a\0b', '\u2028', 5, {}]

describeNodeLanes('a status or reason that is none', (lane) => {
  for (const [kind, create] of Object.entries(SENT)) {
    it(`makes the response an error: reply.raw.statusCode, with ${kind}`, async () => {
      const app = createApp(lane)
      app.get('/:index', (request, reply) => {
        Reflect.set(reply.raw, 'statusCode', STATUSES[Number(request.params['index'])])
        return reply.send(create(reply))
      })
      // For HTTP/2 the code of Node makes integers of some values, as they are set.
      expect(await judge(lane, app, STATUSES, lane.name === 'HTTP/2' ? undefined : 500)).toEqual([])
    })

    // HTTP/2 has no reasons.
    if (lane.name === 'HTTP/2') continue
    it(`makes the response an error: reply.raw.statusMessage, with ${kind}`, async () => {
      const app = createApp(lane)
      app.get('/:index', (request, reply) => {
        Reflect.set(reply.raw, 'statusMessage', REASONS[Number(request.params['index'])])
        return reply.send(create(reply))
      })
      expect(await judge(lane, app, REASONS, 500)).toEqual([])
    })
  }
})

describeConnections('trailers', (lane) => {
  for (const [kind, create] of Object.entries(SENT)) {
    it(`have no field that begins another line, and none of framing: with ${kind}`, async () => {
      const app = createApp(lane)
      const rows = [...VALUES, 5, undefined]
      app.get('/:index', (request, reply) => {
        reply.trailer('x-t', () => Promise.resolve(rows[Number(request.params['index'])]))
        return reply.send(create(reply))
      })
      expect(await judge(lane, app, rows, 200)).toEqual([])
    })
  }
})

describeConnections('the field connection', (lane) => {
  it('has options alone, and one of close and keep-alive, whatever the application says', async () => {
    const values: readonly unknown[] = [
      'close',
      'Close',
      'keep-alive',
      'close, keep-alive',
      '',
      ',',
      'x',
      'closed',
      'x y',
      ['close', 'x'],
    ]
    const rows = values.flatMap((value) => ['header', 'raw'].map((by) => [by, value] as const))
    for (const [kind, create] of Object.entries(SENT)) {
      const app = createApp(lane)
      app.get('/:index', (request, reply) => {
        const [by, value] = rows[Number(request.params['index'])] ?? []
        if (by === 'header') reply.header('connection', value)
        else Reflect.apply(reply.raw.setHeader, reply.raw, ['connection', value])
        return reply.header('keep-alive', 'timeout=5').send(create(reply))
      })
      expect([kind, await judge(lane, app, rows, 200)]).toEqual([kind, []])
    }
  })
})
