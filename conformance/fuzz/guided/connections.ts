// Whole connections over a server in memory: requests behind each other, cut anywhere, served by the engine or left to
// Node's parser, and the responses.
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Random } from '../../../packages/schema/test/validator/random.ts'
import { attach, Exchange } from '../../../packages/wire/src/index.ts'
import { readConnection } from '../../responses/strict-client.ts'
import type { SentRequest } from '../../responses/strict-client.ts'
import { drawMessage } from '../../wire/reference/draw-message.ts'
import { readMessage } from '../../wire/reference/read-message.ts'
import type { Message } from '../../wire/reference/read-message.ts'
import { readByEngine } from '../../wire/reference/readers.ts'
import { MemorySocket } from './memory-socket.ts'
import { drawCuts, seedOf, turn, upToUpgrade, WORDS } from './messages.ts'
import type { Outcome, Target } from './target.ts'

/** A request that a handler got. */
interface Seen {
  readonly isByNode: boolean
  readonly method: string
  readonly target: string
  readonly version: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** `null` until the body has been read, and where it is not read */
  content: string | null
}

/** Enough turns of the event loop for everything that has come. */
const TURNS = 12

const pairs = (lines: readonly string[]): Seen['fields'] =>
  Array.from({ length: lines.length / 2 }, (_, index) => [lines[index * 2] ?? '', lines[index * 2 + 1] ?? ''])

const ignore = (): void => {}

/** How a handler of the engine behaves. */
type Behaviour = (exchange: Exchange, seen: Seen) => void

const collect: Behaviour = (exchange, seen) => {
  const receiver = {
    receive(content: string | Buffer) {
      seen.content = content.toString('latin1')
      exchange.send(200, { 'content-type': 'text/plain' }, exchange.method)
    },
    refuse: (error: unknown) => error,
  }
  exchange.collect(1e6, 'bytes', receiver)?.catch(ignore)
}

const BEHAVIOURS: readonly Behaviour[] = [
  collect,
  (exchange) => exchange.send(200, {}, null),
  (exchange, seen) => void setImmediate(collect, exchange, seen),
  (exchange) => void setImmediate(() => exchange.send(404, {}, 'late')),
  (exchange) => {
    const writer = exchange.open(200, {}, true)
    writer.write(Buffer.from('piece'))
    setImmediate(() => {
      writer.write(Buffer.from('another'))
      writer.end({ 'x-trailer': 'v' })
    })
  },
  (exchange, seen) => {
    const { request, response } = exchange.raw
    let content = ''
    request.on('data', (piece: Buffer) => void (content += piece.toString('latin1')))
    request.on('error', ignore)
    request.on('end', () => {
      seen.content = content
      response.end('raw')
    })
  },
  (exchange, seen) => {
    exchange.inform(103, { link: '</a>; rel=preload' })
    collect(exchange, seen)
  },
  (exchange) => exchange.endConnection(),
]

const BY_NODE = 'by node'

function sightOf({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Seen {
  return {
    isByNode: true,
    method,
    target: url,
    version: httpVersion,
    fields: pairs(rawHeaders),
    content: null,
  }
}

const byNode =
  (seen: Seen[], isEarly: boolean): RequestListener =>
  (request: IncomingMessage, response) => {
    const one = sightOf(request)
    seen.push(one)
    let content = ''
    request.on('data', (piece: Buffer) => void (content += piece.toString('latin1')))
    request.on('error', ignore)
    request.on('end', () => {
      one.content = content
      if (!isEarly) response.end(BY_NODE)
    })
    if (isEarly) response.end(BY_NODE)
  }

/** A server of Node, which refuses unknown expectations as it does without a listener, and has seen them. */
function createNode(seen: Seen[], isEarly: boolean): Server {
  return createServer(byNode(seen, isEarly)).on(
    'checkExpectation',
    (request: IncomingMessage, response: ServerResponse) => {
      seen.push(sightOf(request))
      response.writeHead(417).end()
    },
  )
}

/** Sends pieces over a new connection of a server, and waits until nothing more can happen. */
async function play(
  server: Server,
  pieces: readonly Buffer[],
  isSlow: boolean,
  ends: boolean,
): Promise<MemorySocket> {
  const socket = new MemorySocket(isSlow)
  server.emit('connection', socket)
  for (const piece of pieces) {
    socket.deliver(piece)
    if (pieces.length > 1) await turn()
  }
  for (let count = 0; count < TURNS || (socket.hasWaiting && count < 500); count++) {
    socket.flow()
    await turn()
  }
  if (ends) {
    socket.endInput()
    for (let count = 0; count < TURNS; count++) {
      socket.flow()
      await turn()
    }
  }
  return socket
}

/** The requests that the reference finds, one behind the other, and where each begins. */
function readAll(text: string): {
  readonly messages: readonly Message[]
  readonly starts: readonly number[]
} {
  const messages: Message[] = []
  const starts = [0]
  for (let at = 0; at < text.length;) {
    const message = readMessage(text.slice(at))
    if (message.kind !== 'message') break
    messages.push(message)
    at += message.end
    starts.push(at)
  }
  return { messages, starts }
}

const shown = ({ method, target, fields, content }: Seen | Message, hasContent: boolean): string =>
  JSON.stringify([method, target, fields, hasContent ? content : null])

/** A request that nothing keeps from being served, and the one behind it. */
function isPlain(message: Message, text: string): boolean {
  if (message.fields.some(([name]) => /^(?:connection|proxy-connection|upgrade|expect)$/i.test(name)))
    return false
  return readByEngine(Buffer.from(text, 'latin1')).kind === 'message'
}

function sentAs({ method, version, fields }: Seen): SentRequest {
  const values = (wanted: string): string =>
    fields.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : [])).join(', ')
  return {
    method,
    version: version === '1.0' ? '1.0' : '1.1',
    expects: /100-continue/i.test(values('expect')),
    connection: values('connection').toLowerCase(),
  }
}

/** The response to bytes that are no request says no more than this. */
const REFUSAL = /HTTP\/1\.1 (4\d\d) [^\r]*\r\nConnection: close\r\n\r\n$/

async function checkConnection(input: string): Promise<Outcome> {
  const [control = 0, behaviour = 0] = Buffer.from(input.slice(0, 2), 'latin1')
  const text = input.slice(2)
  const bytes = Buffer.from(text, 'latin1')
  const isSlow = (control & 1) !== 0
  const ends = (control & 2) !== 0
  const isEarly = (control & 8) !== 0
  const cuts =
    (control & 4) !== 0 || text === '' ? [] : drawCuts(new Random(seedOf(text) + control), bytes.length)
  const edges = [0, ...cuts, bytes.length]
  const pieces = edges.flatMap((edge, index) =>
    index > 0 && edge > (edges[index - 1] ?? 0) ? [bytes.subarray(edges[index - 1], edge)] : [],
  )

  const seen: Seen[] = []
  const server = createNode(seen, isEarly)
  const act = BEHAVIOURS[behaviour % BEHAVIOURS.length] ?? collect
  const handle = (exchange: Exchange): void => {
    const { method, target, headerLines } = exchange
    const one: Seen = {
      isByNode: false,
      method,
      target,
      version: '1.1',
      fields: pairs(headerLines),
      content: null,
    }
    seen.push(one)
    act(exchange, one)
  }
  attach(server, handle, { Exchange })
  const socket = await play(server, pieces, isSlow, ends)
  const { ending, isLeftToNode } = socket
  const output = socket.output.toString('latin1')
  socket.destroy()
  server.close()

  const faults: string[] = []
  const { messages, starts } = readAll(text)
  const byEngine = seen.filter((one) => !one.isByNode)
  for (const [index, one] of byEngine.entries()) {
    const wanted = messages[index]
    const hasContent = one.content !== null
    // A request whose body has not come, or is none, reaches its handler too, and fails there.
    if (
      wanted === undefined
        ? hasContent || index < messages.length
        : shown(wanted, hasContent) !== shown(one, hasContent)
    )
      faults.push(`request ${index} is ${shown(one, true)}, not ${JSON.stringify(wanted ?? null)}`)
  }
  if (isLeftToNode && byEngine.length <= messages.length) {
    const rest = bytes.subarray(starts[byEngine.length])
    const alone: Seen[] = []
    const other = createNode(alone, isEarly)
    const otherSocket = await play(other, [rest], false, ends)
    otherSocket.destroy()
    other.close()
    const given = upToUpgrade(seen.filter((one) => one.isByNode))
    const wantedByNode = upToUpgrade(alone)
    // A connection that has ended meanwhile got less than one to which all came at once.
    const isSame = (one: Seen, index: number): boolean => {
      const wanted = wantedByNode[index]
      if (wanted === undefined) return false
      const hasContent = ending === 'open' || one.content !== null
      return shown(one, hasContent) === shown(wanted, hasContent)
    }
    if (!given.every(isSame) || (ending === 'open' && given.length !== wantedByNode.length))
      faults.push(`left to Node: ${JSON.stringify(given)}, Node alone: ${JSON.stringify(alone)}`)
  } else if (act === collect && !isLeftToNode) {
    for (const [index, message] of messages.entries()) {
      if (!isPlain(message, text.slice(starts[index]))) break
      if (seen[index]?.content !== message.content) faults.push(`request ${index} was not served`)
    }
  }
  faults.push(...faultsOfOutput(output, ending, seen, isLeftToNode))
  const kind = [
    act === collect,
    isLeftToNode,
    ending,
    Math.min(seen.length, 3),
    REFUSAL.exec(output)?.[1],
  ].join()
  return { kind, faults }
}

function faultsOfOutput(
  output: string,
  ending: MemorySocket['ending'],
  seen: readonly Seen[],
  isLeftToNode: boolean,
): readonly string[] {
  // Node's parser takes an upgrade that nobody listens to for a request, and the bytes behind it for none.
  const refusal = REFUSAL.exec(output)
  const served = Buffer.from(refusal === null ? output : output.slice(0, refusal.index), 'latin1')
  const inadmissible: SentRequest = { method: 'GET', version: '1.1', expects: false, connection: '' }
  // Node refuses some requests by itself, such as those without Host.
  const others = Array.from({ length: isLeftToNode ? 40 : 1 }, () => inadmissible)
  const { responses, faults } = readConnection(served, [...seen.map(sentAs), ...others], ending)
  const complete = responses.filter(({ isComplete }) => isComplete).length
  const due = seen.filter(({ content }) => content !== null).length
  const byEngine = seen.filter(({ isByNode }) => !isByNode).length
  // Those that Node refuses by itself were not seen, so what belongs to which request is not known.
  const isRefusedByNode = responses.slice(byEngine).some(({ status }) => status === 400 || status === 417)
  if (isLeftToNode && (isRefusedByNode || responses.length > seen.length)) return []
  const firstByNode = responses.findIndex(({ content }) => content.startsWith(BY_NODE))
  if (firstByNode !== -1 && firstByNode < byEngine)
    return [...faults, `response ${firstByNode} is that to a later request`]
  if (ending === 'open' && complete < due) return [...faults, `${complete} responses to ${due} requests`]
  return refusal !== null && isLeftToNode ? faults.filter((one) => !one.includes('open connection')) : faults
}

/** Requests that are right, for the engine and for Node's parser. */
const RIGHT = [
  'GET /a HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello',
  'POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'POST /d HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello',
  'GET http://x/e HTTP/1.1\r\nHost: x\r\n\r\n',
  'PROPFIND /f HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /g HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n',
] as const

export const connections: Target = {
  name: 'connections',
  words: [...WORDS, ...RIGHT],
  draw(random) {
    const control = String.fromCharCode(random.below(16), random.below(BEHAVIOURS.length))
    const message = (): string => (random.chance(0.5) ? random.pick(RIGHT) : drawMessage(random))
    return control + Array.from({ length: 1 + random.below(4) }, message).join('')
  },
  check: checkConnection,
}
