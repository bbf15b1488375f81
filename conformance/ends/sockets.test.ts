// Every WebSocket ends once, with nothing held, however its client behaves: random apps and clients.
import { once } from 'node:events'
import type { App } from '../harness/app-shape.ts'
import { expect, describe, it } from 'vitest'
import { cloister } from 'cloister'
import { websocket } from '@cloister/websocket'
import type { MessageSocket } from '@cloister/websocket'
import { Random } from '../../packages/schema/test/validator/random.ts'
import { isPeer } from '../harness/subject.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { connect, LANES } from '../sockets/client.ts'
import { turnsUntil } from './clients.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_128)
const CASES = Math.ceil(Number(process.env['CLOISTER_ENDS'] ?? 30) / 2)

const HANDLERS = ['echoes', 'sends', 'throws', 'waits', 'returns', 'ignores the signal'] as const
const CLIENTS = [
  'closes',
  'terminates',
  'resets',
  'half-closes',
  'stalls and leaves',
  'sends what is no message',
  'leaves in the handshake',
  'waits for the end',
] as const
const HOOKS = ['none', 'sync', 'async', 'refuses'] as const

interface Case {
  readonly handler: (typeof HANDLERS)[number]
  readonly client: (typeof CLIENTS)[number]
  readonly hook: (typeof HOOKS)[number]
  readonly hasGuard: boolean
}

/** What ran for the one socket of a case. */
interface Story {
  taken: number
  given: number
  handled: number
  /** handlers that have not ended */
  running: number
  closed: number
}

function drawCase(random: Random): Case {
  const client = random.pick(CLIENTS)
  const ends: readonly Case['handler'][] = ['throws', 'returns']
  return {
    client,
    handler: client === 'waits for the end' ? random.pick(ends) : random.pick(HANDLERS),
    hook: client === 'leaves in the handshake' ? 'async' : random.pick(HOOKS),
    hasGuard: random.below(2) === 0,
  }
}

async function serve({ handler }: Case, socket: MessageSocket<unknown, unknown>): Promise<void> {
  if (handler === 'throws') throw new Error('broken')
  if (handler === 'returns') return
  if (handler === 'echoes') for await (const message of socket) await socket.send(message)
  else if (handler === 'waits') await once(socket.signal, 'abort')
  else if (handler === 'sends') {
    try {
      for (;;) await socket.send('x'.repeat(10_000))
    } catch {
      // The client has gone.
    }
  } else await socket.closed
}

/** A case that takes so long hangs, also on a busy machine. */
const HANG_MS = 30_000

/** Plays a case. @returns what is wrong */
async function play(options: object, given: Case, keeps = false): Promise<readonly string[]> {
  const app = await cloister({ logger: false, forceCloseConnections: true, ...options }).register(websocket)
  const story: Story = { taken: 0, given: 0, handled: 0, running: 0, closed: 0 }
  let arrived = false
  app.addHook('onRequest', async () => {
    arrived = true
    if (given.hook === 'refuses') throw Object.assign(new Error('refused'), { statusCode: 403 })
    if (given.hook === 'async') await new Promise((resolve) => void setTimeout(resolve, 5))
  })
  const take = (): object => ({ at: ++story.taken })
  const scope = given.hasGuard
    ? app.addGuard('held', take, { release: () => void (keeps || story.given++) })
    : app
  scope.ws('/', async (socket) => {
    story.handled++
    story.running++
    void socket.closed.then(() => story.closed++)
    try {
      await serve(given, socket)
    } finally {
      story.running--
    }
  })
  const origin = await app.listen({ port: 0 })
  let timer: NodeJS.Timeout | undefined
  const hangs = new Promise<string>(
    (resolve) => (timer = setTimeout(() => resolve('the client hangs'), HANG_MS)),
  )
  const left = await Promise.race([leave(origin, app, given, () => arrived), hangs])
  clearTimeout(timer)
  const found = (): string[] => [...judge(given, story), ...(left === undefined ? [] : [left])]
  await turnsUntil(() => found().length === 0)
  let open = -1
  await turnsUntil(() => {
    app.server.getConnections((_error, count) => (open = count))
    return open === 0
  })
  await app.close()
  return open === 0 ? found() : [...found(), `${open} connections are open`]
}

function judge({ hook, client, hasGuard }: Case, story: Story): string[] {
  const { taken, given, handled, running, closed } = story
  const mayHandle = hook !== 'refuses'
  const mustHandle = mayHandle && client !== 'leaves in the handshake'
  return [
    taken === given ? '' : `taken ${taken}, given ${given}`,
    hasGuard && mustHandle && taken !== 1 ? `the guard ran ${taken} times` : '',
    handled > (mayHandle ? 1 : 0) || (mustHandle && handled === 0) ? `the handler ran ${handled} times` : '',
    running === 0 ? '' : 'the handler has not ended',
    closed === handled ? '' : `closed ${closed} of ${handled}`,
  ].filter((one) => one !== '')
}

const HANDSHAKE = [
  'GET / HTTP/1.1',
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '',
  '',
].join('\r\n')

async function leave(
  origin: string,
  app: { readonly server: unknown },
  { client, hook }: Case,
  arrived: () => boolean,
): Promise<void> {
  if (client === 'leaves in the handshake') {
    const raw = await openSocket(app as App)
    raw.on('error', () => {})
    raw.write(HANDSHAKE)
    await turnsUntil(arrived)
    raw.destroy()
    return
  }
  const opened = connect(origin, '/')
  if (hook === 'refuses') {
    await expect(opened).rejects.toThrow('403')
    return
  }
  const { socket, closed } = await opened
  socket.on('message', () => {})
  if (client === 'closes') socket.close()
  else if (client === 'terminates') socket.terminate()
  else if (client === 'resets' && !('encrypted' in socket._socket)) {
    // A client that resets its connection while it closes gets no event.
    socket._socket.resetAndDestroy()
    return
  } else if (client === 'half-closes') socket._socket.end()
  else if (client === 'stalls and leaves') {
    socket.pause()
    await new Promise((resolve) => void setTimeout(resolve, 20))
    socket.terminate()
    socket.resume()
  } else if (client === 'sends what is no message') socket.send('{')
  else if (client === 'resets') socket.terminate()
  await closed
}

describe.skipIf(isPeer).each(Object.entries(LANES))('ends of WebSockets over %s', (_name, options) => {
  it(`are one, with nothing held, in ${CASES} random cases`, async () => {
    const random = new Random(SEED)
    const found: unknown[] = []
    for (let index = 0; index < CASES; index++) {
      const given = drawCase(random)
      const findings = await play(options, given)
      if (findings.length > 0) found.push({ seed: SEED, index, findings, given })
    }
    expect(found.slice(0, 5)).toEqual([])
  }, 1_800_000)
})

it.skipIf(isPeer)('the test of WebSockets finds a guard that keeps its value', async () => {
  const given: Case = { handler: 'echoes', client: 'closes', hook: 'sync', hasGuard: true }
  expect(await play({}, given, true)).toEqual(['taken 1, given 0'])
  expect(await play({}, given)).toEqual([])
})
