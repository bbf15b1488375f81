// Plays a connection over each transport.
import { connect as connectHttp2 } from 'node:http2'
import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2'
import type { App } from '../harness/app-shape.ts'
import { certificate } from '../harness/certificate.ts'
import { listenOnce } from '../harness/send.ts'
import { tick } from '../harness/time.ts'
import { StrictClient } from '../responses/lanes.ts'
import type { End, ReadResponse, SentRequest } from '../responses/strict-client.ts'
import { BODY_LIMIT, urlOf } from './define-app.ts'
import { isBroken, isStreamed } from './draw.ts'
import type { Asked, Case } from './draw.ts'

/** What a client has seen. */
export interface Seen {
  /** by request; over HTTP/1 those that came, in their order */
  readonly responses: readonly (ReadResponse | null)[]
  readonly end: End
  readonly faults: readonly string[]
  /** how many requests it has sent whole */
  readonly sent: number
}

/** A transport. */
export interface Lane {
  readonly name: string
  readonly options: Record<string, unknown>
  /** there is a connection of HTTP/1 */
  readonly hasConnection: boolean
  /** the app has a route for another protocol, so Node takes requests for one off their connection */
  readonly hasUpgrade: boolean
  readonly play: (app: App, given: Case, wait: Wait) => Promise<Seen>
}

/** What a client waits for when it has its responses, and how long it waits for anything. */
export interface Wait {
  /** Returns whether all requests have ended on the server. */
  readonly hasSettled: () => boolean
  readonly ms: number
}

/** What comes behind the last response has come by then. */
const QUIET_MS = 10
/** A client that withholds a body waits for the response so long. */
const WITHHOLD_MS = 15

const TRAILER = 'X-Sent-Behind: 1'

/** More than the buffers of the system hold. */
const LONG = 'x'.repeat(6_000_000)

function bodyOf(asked: Asked): string {
  if (asked.body === 'none') return ''
  if (asked.isLong) return LONG
  if (isStreamed(asked)) return 'a body of several octets'
  if (asked.body === 'invalid') return '{"b":1}'
  if (asked.body === 'no JSON') return '{"a":'
  return asked.body === 'too large' ? `{"a":"${'x'.repeat(BODY_LIMIT)}"}` : '{"a":"text"}'
}

function typeOf(asked: Asked): string {
  if (asked.body === 'of an unknown type') return 'application/x-unknown'
  return isStreamed(asked) ? 'application/x-stream' : 'application/json'
}

function headOf(asked: Asked, index: number): string {
  const lines = [`${asked.method} ${urlOf(asked, index)} HTTP/1.1`, 'Host: x']
  if (asked.closes) lines.push('Connection: close')
  else if (asked.upgrades) lines.push('Connection: Upgrade', 'Upgrade: x-protocol')
  if (asked.expects) lines.push('Expect: 100-continue')
  if (asked.body !== 'none') {
    lines.push(`Content-Type: ${typeOf(asked)}`)
    lines.push(
      asked.framing === 'length' ? `Content-Length: ${bodyOf(asked).length}` : 'Transfer-Encoding: chunked',
    )
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

function contentOf(asked: Asked): string {
  const body = bodyOf(asked)
  if (body === '' || asked.framing === 'length') return body
  const half = body.length >> 1
  const chunks = [body.slice(0, half), body.slice(half)].map(
    (one) => `${one.length.toString(16)}\r\n${one}\r\n`,
  )
  if (isBroken(asked)) return `${chunks.join('')}no size\r\n`
  return `${chunks.join('')}0\r\n${asked.framing === 'chunks and trailers' ? `${TRAILER}\r\n` : ''}\r\n`
}

const sentAs = ({ method, expects, closes, upgrades }: Asked): SentRequest => ({
  method,
  version: '1.1',
  expects,
  connection: closes ? 'close' : upgrades ? 'upgrade' : '',
})

async function write(client: StrictClient, text: string, { pieces }: Asked): Promise<void> {
  const most = pieces === 'one' ? 1 : pieces === 'two' ? 2 : 400
  const size = Math.max(1, Math.ceil(text.length / most))
  for (let at = 0; at < text.length && client.socket.writable; at += size) {
    client.socket.write(text.slice(at, at + size))
    if (size < text.length) await tick()
  }
}

async function overTcp(app: App, given: Case, { hasSettled, ms }: Wait): Promise<Seen> {
  const client = await StrictClient.open(app)
  client.socket.setNoDelay(true)
  const requests = given.requests.map(sentAs)
  const faults: string[] = []
  const isLast = (count: number): boolean => {
    if (client.end !== 'open') return true
    const { responses } = client.read(requests)
    const whole = responses.filter(({ isComplete }) => isComplete)
    return whole.length >= count || whole.some(announcesEnd)
  }
  const until = async (count: number, limit: number): Promise<boolean> =>
    client.until(() => isLast(count), limit)
  let sent = 0
  for (const [index, asked] of given.requests.entries()) {
    if (!asked.isPipelined && !(await until(index, ms))) faults.push('a request without a response')
    if (faults.length > 0 || client.end !== 'open') break
    if (!asked.isPipelined && client.read(requests).responses.some(announcesEnd)) break
    await write(client, headOf(asked, index), asked)
    if (asked.sendsBodyLater) await until(index + 1, WITHHOLD_MS)
    await write(client, contentOf(asked), asked)
    sent++
    if (given.closesAt === index) void app.close()
  }
  if (given.client === 'half-closes') client.socket.end()
  if (given.client === 'resets') {
    await tick()
    client.socket.destroy()
    await client.until(hasSettled, ms)
    return { responses: [], end: 'reset', faults: [], sent }
  }
  const isOver = given.client === 'half-closes' ? () => client.end !== 'open' : () => isLast(sent)
  if (!(await client.until(isOver, ms)))
    faults.push(given.client === 'waits' ? 'a request without a response' : 'a connection that stays open')
  await client.until(hasSettled, ms)
  await client.until(() => client.end !== 'open', QUIET_MS)
  const reading = client.read(requests)
  client.socket.destroy()
  return { responses: reading.responses, end: client.end, faults: [...faults, ...reading.faults], sent }
}

/** Whether the connection ends with this response, or within it. */
export function announcesEnd({ fields, isComplete }: ReadResponse): boolean {
  return isComplete && fields.get('connection')?.join().toLowerCase().includes('close') === true
}

async function askHttp2(
  session: ClientHttp2Session,
  asked: Asked,
  index: number,
): Promise<ReadResponse | null> {
  const { method } = asked
  const headers: OutgoingHttpHeaders = { ':method': method, ':path': urlOf(asked, index) }
  const body = bodyOf(asked)
  if (body !== '') headers['content-type'] = typeOf(asked)
  if (body !== '' && asked.framing === 'length') headers['content-length'] = body.length
  if (asked.expects) headers['expect'] = '100-continue'
  const hasTrailers = body !== '' && asked.framing === 'chunks and trailers'
  const stream = session.request(headers, { endStream: body === '', waitForTrailers: hasTrailers })
  if (hasTrailers) stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sent-behind': '1' }))
  let status = 0
  let isComplete = false
  const fields = new Map<string, readonly string[]>()
  const content: Buffer[] = []
  stream.on('response', (received) => {
    status = Number(received[':status'])
    for (const [name, value] of Object.entries(received)) fields.set(name, [value].flat().map(String))
  })
  stream.on('data', (piece: Buffer) => content.push(piece))
  stream.on('end', () => (isComplete = stream.rstCode === 0))
  stream.on('error', () => {})
  if (asked.sendsBodyLater) setTimeout(() => stream.end(body), WITHHOLD_MS / 3)
  else if (body !== '') stream.end(body)
  await new Promise<void>((resolve) => void stream.once('close', () => resolve()))
  if (status === 0) return null
  return { status, fields, content: Buffer.concat(content).toString('latin1'), isComplete }
}

async function overHttp2(app: App, given: Case, { hasSettled }: Wait): Promise<Seen> {
  // Node's client refuses streams when it holds more than it may.
  const session = connectHttp2(`http://127.0.0.1:${(await listenOnce(app)).port}`, { maxSessionMemory: 1000 })
  let end: End = 'open'
  session.on('error', () => {})
  session.on('close', () => (end = 'ended'))
  const all: Promise<ReadResponse | null>[] = []
  for (const [index, asked] of given.requests.entries()) {
    if (!asked.isPipelined) await Promise.all(all)
    if (session.closed || session.destroyed) break
    all.push(askHttp2(session, asked, index))
    if (given.closesAt === index) void app.close()
  }
  if (given.client === 'resets') {
    await tick()
    session.destroy()
  }
  const responses = await Promise.all(all)
  await turnsUntil(hasSettled)
  const seen: Seen = { responses, end, faults: [], sent: all.length }
  session.destroy()
  return seen
}

async function overInject(app: App, given: Case, { hasSettled }: Wait): Promise<Seen> {
  const ask = async (asked: Asked, index: number): Promise<ReadResponse | null> => {
    const payload = asked.body === 'none' ? {} : { payload: bodyOf(asked) }
    const headers = asked.body === 'none' ? {} : { 'content-type': typeOf(asked) }
    const request = { method: asked.method, url: urlOf(asked, index), headers, ...payload }
    const response = await app.inject(request).catch(() => null)
    if (response === null) return null
    const fields = new Map(
      Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().map(String)]),
    )
    const content = response.rawPayload.toString('latin1')
    return { status: response.statusCode, fields, content, isComplete: true }
  }
  const all: Promise<ReadResponse | null>[] = []
  for (const [index, asked] of given.requests.entries()) {
    if (!asked.isPipelined) await Promise.all(all)
    all.push(ask(asked, index))
  }
  const responses = await Promise.all(all)
  await turnsUntil(hasSettled)
  return { responses, end: 'open', faults: [], sent: all.length }
}

/** Waits for a condition, for a bounded number of turns. */
async function turnsUntil(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !condition(); turn++)
    await new Promise((resolve) => void setTimeout(resolve, turn < 20 ? 0 : 5))
}

const TCP = { hasConnection: true, hasUpgrade: false, play: overTcp }
const OTHER = { hasConnection: false, hasUpgrade: false }

/** The transports. */
export const LANES: readonly Lane[] = [
  { ...TCP, name: 'the engine', options: {} },
  { ...TCP, name: 'the engine over TLS', options: { https: certificate() } },
  { ...TCP, name: 'the engine, with an upgrade', options: {}, hasUpgrade: true },
  { ...TCP, name: 'node:http', options: { transport: 'node' } },
  { ...TCP, name: 'node:http, with an upgrade', options: { transport: 'node' }, hasUpgrade: true },
  { ...OTHER, name: 'HTTP/2', options: { http2: true }, play: overHttp2 },
  { ...OTHER, name: 'app.inject', options: {}, play: overInject },
]
