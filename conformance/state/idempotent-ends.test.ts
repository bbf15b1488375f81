// What the next request with a key gets, after each way in which a handler ends: at once, later, or without its client.
import { idempotency, memoryState } from '@cloister/state'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { App, Request } from '../harness/app-shape.ts'
import { registerPlugin } from '../harness/register-plugin.ts'
import { openRequest, type SentResponse } from '../harness/send.ts'
import { describeTransports } from '../harness/transports.ts'
import { ENDINGS, type Ending, type Next } from './endings.ts'

const REQUEST = { method: 'POST', path: '/', headers: { 'idempotency-key': 'k' } }

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

type Post = () => Promise<SentResponse>

const refusalOf = ({ text }: SentResponse): string | undefined => /CLO_ERR_IDEMPOTENCY_(\w+)/.exec(text)?.[1]

/** Sends until the key is not taken by a request that runs. */
async function retry(post: Post): Promise<SentResponse> {
  for (;;) {
    const response = await post()
    if (refusalOf(response) !== 'RUNNING') return response
    expect([response.status, response.headers['retry-after']]).toEqual([409, '1'])
    await sleep(1)
  }
}

/** Adds the route of an ending to an app, and counts its effects. */
async function prepare(
  app: App,
  ending: Ending,
  before?: (request: Request) => Promise<void>,
): Promise<() => number> {
  let effects = 0
  await registerPlugin(app, idempotency, { state: memoryState(), scope: 'public', maxBytes: 100 })
  ending.app?.(app)
  app.post('/', { idempotency: true, ...ending.route }, (request, reply) => {
    effects += 1
    const run = (): unknown => ending.handler(request, reply)
    return before === undefined ? run() : before(request).then(run)
  })
  await app.ready()
  return () => effects
}

function nextOf(response: SentResponse, effects: number): Next | string {
  if (refusalOf(response) === 'NOT_KEPT') return 'not kept'
  const isReplayed = response.headers['idempotent-replayed'] === 'true'
  const seen = `${isReplayed ? 'again' : 'runs'}, ${effects} effects`
  return { 'again, 1 effects': 'again', 'runs, 2 effects': 'runs' }[seen] ?? `${seen}: ${response.text}`
}

/** Fields that belong to one response, or to its framing. */
const NOT_COMPARED = new Set(
  'date connection keep-alive trailer transfer-encoding content-length idempotent-replayed'.split(' '),
)
const comparedOf = ({ status, bytes, headers }: SentResponse): unknown => [
  status,
  bytes.toString('base64'),
  Object.entries(headers).filter(([name]) => !NOT_COMPARED.has(name)),
]

async function check(ending: Ending, first: SentResponse, post: Post, effects: () => number): Promise<void> {
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([ending.status, undefined])
  const next = await retry(post)
  expect(nextOf(next, effects())).toBe(ending.next)
  if (ending.next === 'again' && ending.isOther !== true) expect(comparedOf(next)).toEqual(comparedOf(first))
}

const titled = (endings: readonly Ending[]): [string, Ending][] => endings.map((one) => [one.title, one])

describeTransports(
  'a request after one of an idempotent route',
  ({ transport, createApp, send, it, overNode }) => {
    for (const isOfNode of [false, true]) {
      const test = isOfNode ? overNode('hijacked and raw replies are those of Node') : it
      const endings = ENDINGS.filter(
        ({ needs }) => (needs === 'node') === isOfNode && (needs !== 'trailers' || transport !== 'fetch'),
      )

      test.each(titled(endings.filter(({ isAsync }) => isAsync !== true)))(
        'gets what the guide says, if the handler %s',
        async (_title, ending) => {
          const app = createApp()
          const effects = await prepare(app, ending)
          const post = (): Promise<SentResponse> => send(app, REQUEST)
          await check(ending, await post(), post, effects)
        },
      )

      test.each(titled(endings))(
        'gets 409 while the handler runs, and then what the guide says, if it %s',
        async (_title, ending) => {
          const app = createApp()
          const [begun, end] = [gate(), gate()]
          const effects = await prepare(app, ending, async () => {
            begun.open()
            await end.opened
          })
          const post = (): Promise<SentResponse> => send(app, REQUEST)
          const first = post()
          await begun.opened
          expect(refusalOf(await post())).toBe('RUNNING')
          end.open()
          await check(ending, await first, post, effects)
        },
      )
    }
  },
)

describeTransports(
  'a request after one whose client has left',
  ({ createApp, send, it }) => {
    it.each(titled(ENDINGS))('gets what the guide says, if the handler then %s', async (_title, ending) => {
      const app = createApp()
      const [begun, left] = [gate(), gate()]
      app.addHook('onRequestAbort', async () => left.open())
      const effects = await prepare(app, ending, async () => {
        begun.open()
        await left.opened
      })
      const first = await openRequest(app, REQUEST)
      first.on('error', () => {})
      first.end()
      await begun.opened
      first.destroy()
      await left.opened
      const next = await retry(() => send(app, REQUEST))
      expect(nextOf(next, effects())).toBe(ending.left ?? ending.next)
    })
  },
  ['socket'],
)
