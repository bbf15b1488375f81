// Random apps run on Fastify 5.x and on Cloister under the name `fastify`: functions run in the same order, see the same
// request, and the client gets the same response, in the process and over one connection.
import { describe, expect, it } from 'vitest'
import { Random } from '../../packages/schema/test/validator/random.ts'
import type { App, Factory } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { isPeer } from '../harness/subject.ts'
import { tick } from '../harness/time.ts'
import { sentAs, StrictClient, write } from '../responses/lanes.ts'
import type { Question } from '../responses/lanes.ts'
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

interface Played {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: string
}
type Send = (request: DrawnRequest) => Promise<Played>

function inProcess(app: App): Send {
  return async ({ method, url, body }) => {
    const sent = body === undefined ? {} : { payload: body, headers: { 'content-type': 'x/y' } }
    return app.inject({ method, url, ...sent })
  }
}

/** Sends all requests over one connection, and opens another one where a response has announced its end. */
function overConnection(app: App): Send {
  let client: StrictClient | null = null
  let asked: Question[] = []
  return async ({ method, url, body }) => {
    if (client === null) {
      client = await StrictClient.open(app)
      asked = []
    }
    const question = {
      method,
      path: url,
      ...(body === undefined ? {} : { lines: ['Content-Type: x/y'], body }),
    }
    asked.push(question)
    client.write(write(question))
    // What a response has left behind would be found with the next one.
    const { responses, faults } = await client.readAll(asked.map(sentAs), asked.length, 0)
    const response = responses[asked.length - 1]
    if (response === undefined || faults.length > 0) throw new Error(`${method} ${url}: ${faults.join()}`)
    const headers = Object.fromEntries([...response.fields].map(([name, lines]) => [name, lines.join(', ')]))
    if (headers['connection'] === 'close') {
      client.socket.destroy()
      client = null
    }
    return { statusCode: response.status, headers, payload: response.content }
  }
}

/** Runs the requests, and returns for each what ran and what the client got. */
async function play(
  factory: Factory,
  drawn: DrawnContext,
  requests: readonly DrawnRequest[],
  begin = inProcess,
  options = {},
) {
  const notes: string[] = []
  const sink = createLogSink()
  const logger = { level: 'info', stream: sink.stream }
  const app = factory({ logger, requestIdHeader: false, forceCloseConnections: true, ...options })
  app.addHook('onResponse', async (_request, reply) => void notes.push(`onResponse ${reply.statusCode}`))
  defineContext(app, drawn, 'root', (text) => notes.push(text))
  const played: unknown[] = []
  try {
    const send = begin(app)
    for (const request of requests) {
      const { method, url } = request
      const { statusCode, headers, payload } = await send(request)
      const ignored = method === 'HEAD' && statusCode >= 400 ? OF_ERROR_TO_HEAD : OF_SERVER
      const shown = Object.entries(headers).filter(([name]) => !ignored.includes(name))
      await untilEnded(notes)
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

/** A client may have its response before the last hooks of the request have run. */
async function untilEnded(notes: readonly string[]): Promise<void> {
  while (notes.at(-1)?.startsWith('onResponse') !== true) await tick()
}

const LANES = [
  ['in the process', inProcess, {}],
  ['over a connection of the engine', overConnection, {}],
  ['over a connection of node:http', overConnection, { transport: 'node' }],
] as const

describe.skipIf(isPeer)('whole apps', () => {
  it(`run as on Fastify, ${APPS} at random`, async () => {
    const [fastify, cloister] = await Promise.all([load('fastify5'), load('@cloister/fastify')])
    const random = new Random(SEED)
    for (let index = 0; index < APPS; index++) {
      const drawn = drawApp(random)
      const requests = drawRequests(random, drawn)
      const wanted = await play(fastify, drawn, requests)
      for (const [lane, begin, options] of LANES) {
        const got = await play(cloister, drawn, requests, begin, options)
        expect(got, `app ${index} of seed ${SEED}, ${lane}: ${JSON.stringify(drawn)}`).toEqual(wanted)
      }
    }
  })
})
