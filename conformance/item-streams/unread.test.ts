// Generators whose items are not sent, or not all of them: their `finally` blocks run with the values of guards, and what
// fails in them is logged.
import { setTimeout as pause } from 'node:timers/promises'
import type { App, Reply } from '../harness/app-shape.ts'
import { callMember } from '../call-member.ts'
import { createLogSink } from '../harness/log-lines.ts'
import type { LogLine } from '../harness/log-lines.ts'
import { tick } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

const EVENTS = 'text/event-stream'
const LINES = 'application/x-ndjson'

interface Way {
  readonly options?: object
  readonly method?: string
  readonly before?: (reply: Reply) => unknown
  readonly onSend?: () => unknown
}

const WAYS: Readonly<Record<string, Way>> = {
  'its status declares no items': { before: (reply) => void reply.code(201) },
  'it is too late': { options: { handlerTimeout: 10 }, before: () => pause(40) },
  'it has sent something else': { before: (reply) => void reply.send({ n: 2 }) },
  'the request is a HEAD': { method: 'HEAD' },
  'a hook replaces them': { onSend: () => 'text' },
  'a hook fails': {
    onSend: () => {
      throw new Error('the hook')
    },
  },
}

describeTransports(
  'item streams: unread generators',
  ({ createApp, send, expect, ours }) => {
    const test = ours('the peers have no such handlers')

    interface Made {
      readonly app: App
      readonly lines: readonly LogLine[]
      readonly steps: string[]
    }

    function make(type: string, { options, before, onSend }: Way, fail: () => void): Made {
      const { stream, lines } = createLogSink()
      const app = createApp({ logger: { stream } })
      const steps: string[] = []
      callMember(app, 'addGuard', 'held', () => ({}), { release: () => void steps.push('released') })
      if (onSend !== undefined) app.addHook('onSend', async () => onSend())
      const schema = { response: { 200: { content: { [type]: { schema: {} } } } } }
      app.get('/', { exposeHeadRoute: true, ...options, schema }, async function* (_request, reply) {
        try {
          await before?.(reply)
          yield { n: 1 }
          yield { n: 2 }
        } finally {
          await tick()
          steps.push('ended')
          fail()
        }
      })
      return { app, lines, steps }
    }

    for (const type of [EVENTS, LINES]) {
      test.each(Object.entries(WAYS))(
        `of ${type} end before the values of guards are released, if %s`,
        async (_name, way) => {
          const { app, steps } = make(type, way, () => {})
          await send(app, { path: '/', method: way.method ?? 'GET' })
          await expect.poll(() => steps).toEqual(['ended', 'released'])
        },
      )

      test.each(Object.entries(WAYS))(
        `of ${type} that fail at their end are logged once, if %s`,
        async (_name, way) => {
          const { app, lines, steps } = make(type, way, () => {
            throw new Error('planned')
          })
          await send(app, { path: '/', method: way.method ?? 'GET' })
          await expect.poll(() => steps).toEqual(['ended', 'released'])
          const logged = lines.filter(({ err }) => Reflect.get(Object(err), 'message') === 'planned')
          expect(logged.map(({ level }) => level)).toEqual([50])
        },
      )
    }
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
