// A route with a body schema never runs with a body that the schema was not applied to: a table of methods, content
// types, framings and bodies, each request written to a real socket byte by byte.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App, BodyParser } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { listenOnce } from '../harness/send.ts'
import { shareOf } from '../harness/share.ts'
import { factory } from '../harness/subject.ts'
import { ours } from '../harness/transports.ts'
import type { FramingCase, MediaTypeCase } from './requests.ts'
import {
  BAD,
  BODY_SCHEMA,
  FRAMINGS,
  GOOD,
  MEDIA_TYPES,
  METHODS,
  ODD_BODIES,
  UNKNOWN_CODING,
} from './requests.ts'

type Method = (typeof METHODS)[number]

/** One app of the table. */
interface Setup {
  readonly name: string
  readonly methods: readonly Method[]
  readonly body: object
  readonly test: typeof it | ReturnType<typeof ours>
  readonly prepare: (app: App) => void
}

const parseJson: BodyParser = (_request, body, done) => {
  try {
    done(null, JSON.parse(String(body)))
  } catch (error) {
    done(Object.assign(new Error('not JSON', { cause: error }), { statusCode: 400 }))
  }
}

const parseForm: BodyParser = (_request, body, done) => {
  done(null, Object.fromEntries(new URLSearchParams(String(body))))
}

const keepText: BodyParser = (_request, body, done) => {
  done(null, body)
}

const SETUPS: readonly Setup[] = [
  { name: 'the parsers of the framework', methods: METHODS, body: BODY_SCHEMA, test: it, prepare: () => {} },
  {
    name: 'parsers of the application',
    methods: ['POST', 'DELETE'],
    body: BODY_SCHEMA,
    test: it,
    prepare: (app) => {
      app.addContentTypeParser(/^application\/.+\+json/, { parseAs: 'string' }, parseJson)
      app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, parseForm)
      app.addContentTypeParser('*', { parseAs: 'string' }, keepText)
    },
  },
  {
    name: 'a schema for JSON alone in a content map',
    methods: ['POST', 'PUT', 'DELETE'],
    body: { content: { 'application/json': { schema: BODY_SCHEMA } } },
    test: ours('the peers hand on what the map does not list, and no body, unvalidated'),
    prepare: (app) => {
      app.addContentTypeParser(/^application\/.+\+json/, { parseAs: 'string' }, parseJson)
      app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, parseForm)
      app.addContentTypeParser('*', { parseAs: 'string' }, keepText)
    },
  },
]

interface Outgoing {
  readonly framing: FramingCase
  readonly body: string
}

const OUTGOING: readonly Outgoing[] = FRAMINGS.flatMap((framing) => [
  { framing, body: GOOD },
  { framing, body: BAD },
  ...(framing.name === 'a length' ? ODD_BODIES.map((body) => ({ framing, body })) : []),
])

/** A refusal is the client's fault; a transfer coding that the server does not know is a 501 (RFC 9112 section 6.1). */
function isRefusal(status: number, framing: FramingCase): boolean {
  return (status >= 400 && status <= 499) || (status === 501 && framing.name === UNKNOWN_CODING)
}

/** May this body be seen by a handler of this method? `{ n: 7 }` is what the schema makes of the good one. */
function isApplied(body: unknown, method: Method): boolean {
  if (body == null) return method === 'DELETE' || method === 'OPTIONS'
  return JSON.stringify(body) === '{"n":7}'
}

let combinations = 0

for (const setup of SETUPS) {
  describe(`with ${setup.name}`, () => {
    let app: App
    const seen = new Map<string, unknown>()
    let nextId = 0

    beforeAll(async () => {
      app = factory({ forceCloseConnections: true })
      setup.prepare(app)
      for (const method of setup.methods) {
        app.route({
          method,
          path: '/:id',
          schema: { body: setup.body },
          handler: (request) => {
            seen.set(String(request.params['id']), request.body)
            return 'ran'
          },
        })
      }
      await listenOnce(app)
    })
    afterAll(() => app.close())

    async function sendOne(method: Method, type: MediaTypeCase, { framing, body }: Outgoing) {
      const id = String(nextId++)
      const { lines, payload } = framing.write(body)
      const head = [`${method} /${id} HTTP/1.1`, 'Host: test', 'Connection: close', ...type.lines, ...lines]
      const bytes = Buffer.concat([
        Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'),
        Buffer.from(payload),
      ])
      const response = await rawSocket(app, bytes)
      return { status: response.status, ran: seen.has(id), body: seen.get(id) }
    }

    for (const method of setup.methods) {
      for (const [typeIndex, type] of MEDIA_TYPES.entries()) {
        combinations += OUTGOING.length
        // Each row has another quarter of the columns with `npm test`.
        const outgoings = shareOf(OUTGOING, (_, index) => (index + typeIndex) % 4 === 0)
        setup.test(`runs no handler unvalidated: ${method} with ${type.name}`, async () => {
          const results = await Promise.all(
            outgoings.map(async (outgoing) => ({ outgoing, result: await sendOne(method, type, outgoing) })),
          )
          const unvalidated = results
            .filter(({ result }) => result.ran && !isApplied(result.body, method))
            .map(({ outgoing, result }) => [outgoing.framing.name, outgoing.body, result.body])
          expect(unvalidated).toEqual([])
          const failed = results
            .filter(({ outgoing, result }) => !result.ran && !isRefusal(result.status, outgoing.framing))
            .map(({ outgoing, result }) => [outgoing.framing.name, outgoing.body, result.status])
          expect(failed).toEqual([])
          if (!type.json) return
          const lost = results
            .filter(({ outgoing, result }) => outgoing.framing.sound && outgoing.body === GOOD && !result.ran)
            .map(({ outgoing, result }) => [outgoing.framing.name, result.status])
          expect(lost).toEqual([])
        })
      }
    }
  })
}

it('covers at least 150 combinations', () => {
  expect(combinations).toBeGreaterThanOrEqual(150)
})
