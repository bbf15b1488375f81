// Responses of applications that say anything: what the engine writes is read by a strict client.
import { createServer } from 'node:http'
import { attach, Exchange } from '../../../packages/wire/src/index.ts'
import type { ResponseHeaders } from '../../../packages/wire/src/message/field.ts'
import { readConnection } from '../../responses/strict-client.ts'
import type { SentRequest } from '../../responses/strict-client.ts'
import { MemorySocket } from './memory-socket.ts'
import { turn } from './messages.ts'
import type { Outcome, Target } from './target.ts'

/** Takes an input for a row of choices; behind its end every choice is the first. */
class Choices {
  readonly #bytes: Buffer
  #at = 0

  constructor(input: string) {
    this.#bytes = Buffer.from(input, 'latin1')
  }

  below(limit: number): number {
    return (this.#bytes[this.#at++] ?? 0) % limit
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0]
  }

  text(): string {
    const length = this.below(40)
    const text = this.#bytes.toString('latin1', this.#at, this.#at + length)
    this.#at += length
    return text
  }
}

const STATUSES = [
  200,
  201,
  204,
  205,
  206,
  304,
  404,
  500,
  999,
  100,
  101,
  103,
  199,
  1000,
  200.5,
  NaN,
  -1,
] as const
const NAMES = [
  'x-a',
  'content-type',
  'content-length',
  'Content-Length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'date',
  'trailer',
  'link',
  'set-cookie',
  'Upgrade',
  'X B',
  '',
  'x:',
  'x\r\nx-injected',
  '__proto__',
  'constructor',
] as const
const VALUES = [
  'v',
  '',
  '5',
  '0',
  '05',
  '5, 5',
  'chunked',
  'gzip',
  'close',
  'keep-alive',
  'close, upgrade',
  'x-a, trailer',
  'Mon, 01 Jan 2024 00:00:00 GMT',
  'a\r\nx-injected: 1',
  'a\nb',
  '\u0100',
  '\0',
  ' a ',
  '\u00e9',
] as const

function fieldsOf(choices: Choices): ResponseHeaders {
  const fields: ResponseHeaders = {}
  for (let count = choices.below(5); count > 0; count--) {
    const name = choices.pick(NAMES)
    const kind = choices.below(6)
    if (kind === 0) fields[name] = choices.below(20)
    else if (kind === 1) fields[name] = [choices.pick(VALUES), choices.pick(VALUES)]
    else if (kind === 2) fields[name] = choices.text()
    else if (kind === 3) fields[name] = undefined
    else fields[name] = choices.pick(VALUES)
  }
  return fields
}

/** What one handler has written; `null` where that is not known. */
interface Written {
  content: string | null
  status: number
}

const piecesOf = (choices: Choices): Buffer[] =>
  Array.from({ length: choices.below(4) }, () =>
    Buffer.from(choices.text().repeat(1 + choices.below(60)), 'latin1'),
  )

type Way = (exchange: Exchange, choices: Choices, written: Written) => void | Promise<void>

const send: Way = (exchange, choices, written) => {
  const status = choices.pick(STATUSES)
  const headers = fieldsOf(choices)
  const text = choices.text()
  const content = choices.pick([
    text,
    Buffer.from(text, 'latin1'),
    Buffer.alloc(5000, 'b'),
    null,
    'ä'.repeat(30),
  ])
  exchange.send(status, headers, content)
  written.status = status
  written.content = content === null ? '' : Buffer.from(content).toString('latin1')
}

const open: Way = async (exchange, choices, written) => {
  const status = choices.pick(STATUSES)
  const writer = exchange.open(status, fieldsOf(choices), choices.below(2) === 1)
  const pieces = piecesOf(choices)
  const pauses = choices.below(2) === 1
  for (const piece of pieces) {
    writer.write(piece)
    if (pauses) await turn()
  }
  const trailers: Record<string, string> | null = choices.pick([null, { 'x-t': choices.text() }])
  writer.end(trailers)
  written.status = status
  written.content = Buffer.concat(pieces).toString('latin1')
}

const WAYS: readonly [Way, ...Way[]] = [
  send,
  open,
  (exchange, choices) => {
    const sink = exchange.openSink(choices.pick(STATUSES), fieldsOf(choices), choices.below(2) === 1)
    for (const piece of piecesOf(choices)) sink.write(piece)
    if (choices.below(2) === 1) sink.addTrailers({ 'x-t': choices.text() })
    sink.end()
  },
  async (exchange, choices, written) => {
    exchange.inform(103, fieldsOf(choices))
    await send(exchange, choices, written)
  },
  async (exchange, choices) => {
    const { response } = exchange.raw
    // What an application says about the framing there goes out as Node writes it.
    const name = choices.pick(['x-a', 'content-type', 'set-cookie', '__proto__', 'constructor', 'x:'])
    if (choices.below(2) === 1) response.setHeader(name, choices.pick(VALUES))
    // Node writes a final response with an interim status.
    const status = choices.pick(STATUSES)
    response.writeHead(status < 200 ? 200 : status, { 'x-a': choices.pick(VALUES) })
    for (const piece of piecesOf(choices)) response.write(piece)
    if (choices.below(2) === 1) await turn()
    response.end(choices.text())
  },
  async (exchange, choices, written) => {
    exchange.raw.response.setHeader(choices.pick(NAMES), choices.pick(VALUES))
    await choices.pick([send, open])(exchange, choices, written)
  },
  async (exchange, choices, written) => {
    await open(exchange, choices, written)
    await send(exchange, choices, { ...written })
  },
  async (exchange, choices) => {
    const first = exchange.open(200, fieldsOf(choices))
    if (choices.below(2) === 1) first.write(Buffer.from('first'))
    const second = exchange.open(404, fieldsOf(choices))
    second.write(Buffer.from('second'))
    first.end()
    second.end()
    await turn()
  },
  async (exchange, choices, written) => {
    exchange.endConnection()
    await choices.pick([send, open])(exchange, choices, written)
  },
  async (exchange, choices) => {
    const writer = exchange.open(200, fieldsOf(choices))
    if (choices.below(2) === 1) writer.write(Buffer.from('cut'))
    await turn()
    exchange.abort()
  },
]

/** Errors that an application is told about by their code. */
const EXPECTED = /^(?:WIRE_|ERR_HTTP_|ERR_INVALID_|ERR_STREAM_)/

const REQUESTS = ['GET', 'HEAD', 'POST'] as const

async function checkResponses(input: string): Promise<Outcome> {
  const choices = new Choices(input)
  const control = choices.below(8)
  const faults: string[] = []
  const written: (Written & { way: number })[] = []
  const problems = new Set<string>()
  const server = createServer((_request, response) => response.end('by node'))
  const handle = (exchange: Exchange): void => {
    const one = { way: choices.below(WAYS.length), status: 0, content: null }
    written.push(one)
    const failed = (error: unknown): void => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      problems.add(code)
      if (!EXPECTED.test(code)) faults.push(`thrown: ${error instanceof Error ? error.stack : code}`)
      if (exchange.turn.hasBegun) exchange.abort()
      else exchange.send(500, {}, 'failed')
    }
    const run = async (): Promise<void> => (WAYS[one.way] ?? send)(exchange, choices, one)
    run().catch((error: unknown) => {
      one.content = null
      try {
        failed(error)
      } catch (second) {
        faults.push(`thrown within the handling of an error: ${String(second)}`)
      }
    })
  }
  attach(server, handle, { Exchange })
  const methods = Array.from({ length: 1 + choices.below(3) }, () => choices.pick(REQUESTS))
  const requests = methods.map((method) => {
    const closes = choices.below(8) === 7
    const body = method === 'POST' ? 'Content-Length: 5\r\n\r\nhello' : '\r\n'
    const head = `${method} / HTTP/1.1\r\nHost: x\r\n${closes ? 'Connection: close\r\n' : ''}`
    const sent: SentRequest = { method, version: '1.1', expects: false, connection: closes ? 'close' : '' }
    return { text: head + body, sent }
  })
  const socket = new MemorySocket((control & 1) !== 0)
  server.emit('connection', socket)
  if ((control & 2) !== 0) socket.deliver(Buffer.from(requests.map(({ text }) => text).join(''), 'latin1'))
  else for (const { text } of requests) socket.deliver(Buffer.from(text, 'latin1'))
  for (let count = 0; count < 25 || (socket.hasWaiting && count < 500); count++) {
    socket.flow()
    await turn()
  }
  const { output, ending } = socket
  const { responses, faults: found } = readConnection(
    output,
    requests.map(({ sent }) => sent),
    ending,
  )
  socket.destroy()
  server.close()
  faults.push(...found)
  for (const [index, { status, fields, content, isComplete }] of responses.entries()) {
    const one = written[index]
    if (one === undefined || one.content === null || !isComplete || status !== one.status) continue
    const hasContent = methods[index] !== 'HEAD' && status !== 204 && status !== 304
    if (content !== (hasContent ? one.content : ''))
      faults.push(
        `response ${index} has the content ${JSON.stringify(content)}, not ${JSON.stringify(one.content)}`,
      )
    if (
      hasContent &&
      fields.get('content-length') === undefined &&
      fields.get('transfer-encoding') === undefined
    )
      faults.push(`response ${index} has no framing`)
  }
  const complete = responses.filter(({ isComplete }) => isComplete).length
  if (ending === 'open' && complete < requests.length)
    faults.push(
      `${complete} responses to ${requests.length} requests: ${JSON.stringify(output.toString('latin1'))}`,
    )
  const ways = written.map(({ way }) => way).slice(0, 2)
  const statuses = responses.map(({ status }) => status).slice(0, 2)
  return { kind: [ways, statuses, ending, [...problems].sort()].join('; '), faults }
}

export const responses: Target = {
  name: 'responses',
  words: NAMES.filter((name) => name !== '').concat(),
  draw: (random) =>
    Array.from({ length: 10 + random.below(60) }, () => String.fromCharCode(random.below(256))).join(''),
  check: checkResponses,
}
