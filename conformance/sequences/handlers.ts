// The handlers of a connection.
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Reply, Request } from '../harness/app-shape.ts'
import { tick } from '../harness/time.ts'
import type { Asked } from './draw.ts'

const MUCH = 'much '.repeat(60_000)

/** The content of the response of a handler; `null` if a complete response has another one. */
export function contentOf(asked: Asked, id: string): string | null {
  switch (asked.handler) {
    case 'returns an object':
      return JSON.stringify({ id })
    case 'sends no content':
    case 'sends what is not modified':
      return ''
    case 'returns much':
    case 'streams much':
      return MUCH
    case 'is too late':
    case 'streams, and fails at once':
    case 'streams, and fails later':
    case 'throws':
    case 'rejects later':
    case 'calls not found':
      return null
    default:
      return textOf(id)
  }
}

const textOf = (id: string): string => `text of ${id}`

/** Ends the response by hand. */
export function hijack(reply: Reply, text: string): Reply {
  reply.hijack().raw.writeHead(200, { 'content-length': text.length })
  reply.raw.end(text)
  return reply
}

/** A source of several pieces. */
async function* pieces(id: string, ms: number): AsyncGenerator<string, void> {
  if (ms > 0) await pause(ms)
  const text = textOf(id)
  yield text.slice(0, 3)
  await tick()
  yield text.slice(3)
}

async function* failing(): AsyncGenerator<string, void> {
  yield 'begun'
  await pause(2)
  throw new Error('planned failure of a stream')
}

const streamOf = (source: AsyncGenerator<string, void>): Readable =>
  Readable.from(source, { objectMode: false })

function failAtOnce(): Readable {
  return new Readable({
    read() {
      this.destroy(new Error('planned failure of a stream'))
    },
  })
}

function webStream(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
}

async function readBody({ body }: Asked, given: unknown): Promise<void> {
  if (!(given instanceof Readable)) return
  if (body === 'read whole') for await (const _ of given) continue
  if (body === 'read in part') given.once('data', () => given.pause())
}

/** Reads the body as it was drawn, and responds. */
export async function handle(asked: Asked, id: string, request: Request, reply: Reply): Promise<unknown> {
  await readBody(asked, request.body)
  if (asked.body === 'read after the response' && request.body instanceof Readable) {
    const { body } = request
    reply.then(
      () => body.resume(),
      () => body.resume(),
    )
  }
  return respond(asked, id, reply)
}

async function respond(asked: Asked, id: string, reply: Reply): Promise<unknown> {
  switch (asked.handler) {
    case 'returns an object':
      return { id }
    case 'returns bytes':
      return Buffer.from(textOf(id))
    case 'sends at the next turn':
      setImmediate(() => reply.send(textOf(id)))
      return reply
    case 'sends later':
      await pause(3)
      return textOf(id)
    case 'is too late':
      // Until the response of the deadline is there.
      await new Promise<void>((resolve) =>
        reply.then(
          () => resolve(),
          () => resolve(),
        ),
      )
      return textOf(id)
    case 'streams':
      return streamOf(pieces(id, 0))
    case 'streams later':
      return streamOf(pieces(id, 3))
    case 'streams, and fails at once':
      return failAtOnce()
    case 'streams, and fails later':
      return streamOf(failing())
    case 'streams for the web':
      return webStream(textOf(id))
    case 'sends trailers':
      reply.trailer('x-trailer', async () => 'trailer')
      return textOf(id)
    case 'sends hints first':
      reply.writeEarlyHints({ link: '</a.css>; rel=preload' })
      return textOf(id)
    case 'returns much':
      return MUCH
    case 'streams much':
      return Readable.from([MUCH.slice(0, 200_000), MUCH.slice(200_000)], { objectMode: false })
    case 'sends no content':
      return reply.code(204).send()
    case 'sends what is not modified':
      return reply.code(304).send()
    case 'throws':
      throw new Error('planned')
    case 'rejects later':
      await tick()
      throw new Error('planned')
    case 'calls not found':
      return reply.callNotFound()
    case 'hijacks':
      return hijack(reply, textOf(id))
    case 'hijacks, and ends later':
      reply.hijack()
      await pause(2)
      return hijack(reply, textOf(id))
    case 'ends the raw response':
      reply.raw.end(textOf(id))
      return reply
    default:
      return textOf(id)
  }
}
