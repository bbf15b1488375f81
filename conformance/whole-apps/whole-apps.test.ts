// Random apps run on Fastify 5.x and on Cloister under the name `fastify`: functions run in the same order, see the same
// request, and the client gets the same response.
import { describe, expect, it } from 'vitest'
import { Random } from '../../packages/schema/test/validator/random.ts'
import type { Factory } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { isPeer } from '../harness/subject.ts'
import { defineContext } from './define.ts'
import { drawApp, drawRequests } from './draw.ts'
import type { DrawnContext, DrawnRequest } from './draw.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_129)
const APPS = Number(process.env['CLOISTER_WHOLE_APPS'] ?? 200)

const isFactory = (value: unknown): value is Factory => typeof value === 'function'

async function load(name: string): Promise<Factory> {
  const { default: factory }: Record<string, unknown> = await import(/* @vite-ignore */ name)
  if (!isFactory(factory)) throw new Error(`${name} exports no factory`)
  return factory
}

/** Headers of a server. For an error that `onSend` changes, Fastify sends the length of the original to HEAD. */
const OF_SERVER: readonly string[] = ['date', 'connection', 'keep-alive', 'transfer-encoding']
const OF_ERROR_TO_HEAD: readonly string[] = [...OF_SERVER, 'content-length']

/** Runs the requests, and returns for each what ran and what the client got. */
async function play(factory: Factory, drawn: DrawnContext, requests: readonly DrawnRequest[]) {
  const notes: string[] = []
  const sink = createLogSink()
  const app = factory({ logger: { level: 'info', stream: sink.stream }, requestIdHeader: false })
  app.addHook('onResponse', async (_request, reply) => void notes.push(`onResponse ${reply.statusCode}`))
  defineContext(app, drawn, 'root', (text) => notes.push(text))
  const played: unknown[] = []
  try {
    for (const { method, url, body } of requests) {
      const sent = body === undefined ? {} : { payload: body, headers: { 'content-type': 'x/y' } }
      const { statusCode, headers, payload } = await app.inject({ method, url, ...sent })
      const ignored = method === 'HEAD' && statusCode >= 400 ? OF_ERROR_TO_HEAD : OF_SERVER
      const shown = Object.entries(headers).filter(([name]) => !ignored.includes(name))
      const lines = sink.lines.splice(0).filter(({ msg }) => /^(incoming request|Route )/.test(String(msg)))
      const log = lines.map(({ msg }) => msg)
      played.push({
        method,
        url,
        statusCode,
        headers: Object.fromEntries(shown),
        payload,
        log,
        notes: notes.splice(0),
      })
    }
  } finally {
    await app.close()
  }
  return played
}

describe.skipIf(isPeer)('whole apps', () => {
  it(`run as on Fastify, ${APPS} at random`, async () => {
    const [fastify, cloister] = await Promise.all([load('fastify5'), load('@cloister/fastify')])
    const random = new Random(SEED)
    for (let index = 0; index < APPS; index++) {
      const drawn = drawApp(random)
      const requests = drawRequests(random, drawn)
      const wanted = await play(fastify, drawn, requests)
      const got = await play(cloister, drawn, requests)
      expect(got, `app ${index} of seed ${SEED}: ${JSON.stringify(drawn)}`).toEqual(wanted)
    }
  })
})
