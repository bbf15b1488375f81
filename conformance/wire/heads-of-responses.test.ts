// The heads of responses are the same bytes over the engine and over `node:http`: fields in the same order, in the same
// letters. Two differences are decided (docs/adr/0014-http1-engine.md): a Date or Connection that the application has
// set goes where the engine writes its own.
import { Readable } from 'node:stream'
import { describe, expect } from 'vitest'
import { Random } from '../../packages/schema/test/validator/random.ts'
import type { App, Reply } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { ours, useApps } from '../harness/transports.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const CASES = 400

const NAMES = [
  'x-a',
  'X-B',
  'ETag',
  'etag',
  'Set-Cookie',
  'vary',
  'Cache-Control',
  'content-type',
  'Keep-Alive',
]

/** How a handler ends its reply. */
const ENDINGS: readonly ((reply: Reply) => unknown)[] = [
  (reply) => reply.send({ a: 1 }),
  (reply) => reply.send('text'),
  (reply) => reply.send(),
  (reply) => reply.send(Buffer.from('ab')),
  (reply) => reply.send(Readable.from([Buffer.from('ab')])),
  (reply) => reply.header('content-length', '2').send(Readable.from([Buffer.from('ab')])),
  (reply) => reply.code(204).send(),
  (reply) => reply.code(304).send(),
  (reply) => reply.redirect('/x'),
  (reply) => reply.code(404).send(new Error('none')),
  (reply) => reply.trailer('etag', async () => 'x').send('text'),
  (reply) => reply.send(new Response('web', { headers: { 'X-Web': '1' } })),
  (reply) => {
    reply.hijack()
    reply.raw.end('by hand')
  },
  (reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'X-Head': '1' })
    reply.raw.write('by ')
    reply.raw.end('hand')
  },
]

/** Values that types forbid and applications write: Node makes text of them. */
const ODD_VALUES: readonly unknown[] = [
  true,
  false,
  7,
  null,
  ['a', 1],
  new Date(0),
  { toString: () => 'text' },
]

interface Drawn {
  readonly raw: readonly (readonly [string, unknown])[]
  readonly own: readonly (readonly [string, unknown])[]
  readonly ending: number
  readonly hints: boolean
  readonly request: string
}

function draw(random: Random, index: number): Drawn {
  const pair = (): readonly [string, unknown] =>
    random.chance(0.2)
      ? [random.pick(['x-a', 'X-B', 'X-Odd']), random.pick(ODD_VALUES)]
      : [random.pick(NAMES), `v${random.below(9)}`]
  const lines = (count: number): (readonly [string, unknown])[] => Array.from({ length: count }, pair)
  const method = random.pick(['GET', 'GET', 'HEAD'])
  const close = random.chance(0.5) ? 'Connection: close\r\n' : ''
  const last = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  return {
    raw: lines(random.pick([0, 0, 1, 3])),
    own: lines(random.below(4)),
    ending: random.below(ENDINGS.length),
    hints: random.chance(0.1),
    request: `${method} /${index} HTTP/1.1\r\nHost: x\r\n${close}\r\n${close === '' ? last : ''}`,
  }
}

function addRoutes(app: App, cases: readonly Drawn[]): void {
  for (const [index, { raw, own, ending, hints }] of cases.entries()) {
    app.get(`/${index}`, (_request: unknown, reply: Reply) => {
      if (hints) reply.writeEarlyHints({ 'x-hint': 'a', link: '</a.css>; rel=preload' })
      for (const given of raw) Reflect.apply(reply.raw.setHeader, reply.raw, given)
      for (const [name, value] of own) reply.header(name, value)
      void ENDINGS[ending]?.(reply)
      return reply
    })
  }
  app.get('/last', () => 'last')
}

const withoutTime = (text: string): string => text.replaceAll(/^Date: .*GMT/gm, 'Date: now')

describe('the heads of responses', () => {
  const createApp = useApps({ logger: false })

  ours('the peers have one engine')(
    `are the same bytes over the engine and over node:http (CLOISTER_SEED=${SEED})`,
    async () => {
      const random = new Random(SEED)
      const cases = Array.from({ length: CASES }, (_, index) => draw(random, index))
      const apps = [createApp({ transport: 'node' }), createApp({ transport: 'auto' })]
      for (const app of apps) addRoutes(app, cases)
      const differences: unknown[] = []
      for (const drawn of cases) {
        const [nodes, wires] = await Promise.all(
          apps.map(async (app) => withoutTime((await rawSocket(app, drawn.request)).text)),
        )
        if (nodes !== wires) differences.push({ drawn, nodes, wires })
      }
      expect(differences.slice(0, 3)).toEqual([])
      expect(apps[1]).toMatchObject({ transport: { name: 'wire', handedOver: {} } })
    },
  )
})
