// The clients of the cases, over each transport.
import { connect as connectHttp2 } from 'node:http2'
import type { Socket } from 'node:net'
import type { App } from '../harness/app-shape.ts'
import { certificate } from '../harness/certificate.ts'
import { END_HEADERS, field, frame, openFrames, TYPE, uint32 } from '../harness/http2-frames.ts'
import { formBody, FORM_TYPE } from '../forms/form-body.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { listenOnce } from '../harness/send.ts'
import { tick } from '../harness/time.ts'
import { readConnection } from '../responses/strict-client.ts'
import type { Stage } from './define-app.ts'
import { isCut } from './draw.ts'
import type { Ability, Case, Leaves } from './draw.ts'

/** A transport; its client returns what is wrong with the responses. */
export interface Lane extends Ability {
  readonly name: string
  readonly options: Record<string, unknown>
  readonly play: (app: App, given: Case, stage: Stage) => Promise<readonly string[]>
}

const JSON_BODY = '{"a":"ten"}'
const FORM = formBody([{ name: 'file', value: 'ten', filename: 'a.txt' }]).toString()

const isForm = ({ handler }: Case): boolean => handler === 'reads a form' || handler === 'streams a form'

const bodyOf = (given: Case): string => (isForm(given) ? FORM : JSON_BODY)
const ALL: readonly Leaves[] = [
  'stays',
  'stops in body',
  'in head',
  'in body',
  'in hook',
  'in handler',
  'in response',
  'half-closes',
]
const WHOLE: readonly Leaves[] = ['stays', 'in hook', 'in handler', 'in response']

const typeOf = (given: Case): string => {
  if (isForm(given)) return FORM_TYPE
  return given.handler === 'pipes' ? 'application/x-stream' : 'application/json'
}

function headOf(given: Case, at: number): string {
  const isLast = at === given.requests - 1
  const connection = isLast ? 'Connection: close\r\n' : ''
  const type = `Content-Type: ${typeOf(given)}\r\n`
  return `POST /${at} HTTP/1.1\r\nHost: x\r\n${connection}${type}Content-Length: ${bodyOf(given).length}\r\n\r\n`
}

async function write(socket: Socket, text: string, { pace }: Case): Promise<void> {
  const size = pace === 'at once' ? text.length : pace === 'stalls' ? Math.ceil(text.length / 2) : 1
  for (let at = 0; at < text.length && !socket.destroyed; at += size) {
    socket.write(text.slice(at, at + size))
    if (size < text.length) await tick()
  }
}

/** What of the requests is written before the client leaves or reads. */
function textOf(given: Case): string {
  if (given.leaves === 'in head') return headOf(given, 0).slice(0, 60)
  if (isCut(given.leaves)) return headOf(given, 0) + bodyOf(given).slice(0, -7)
  return Array.from({ length: given.requests }, (_, at) => headOf(given, at) + bodyOf(given)).join('')
}

async function overTcp(app: App, given: Case, { arrived, stories }: Stage): Promise<readonly string[]> {
  const socket = await openSocket(app)
  const pieces: Buffer[] = []
  let hasEnded = false
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.on('data', (piece) => pieces.push(piece))
  socket.on('end', () => (hasEnded = true))
  await write(socket, textOf(given), given)
  if (given.leaves === 'half-closes') socket.end()
  else if (given.leaves !== 'stays' && given.leaves !== 'stops in body') {
    if (given.leaves === 'in body') await turnsUntil(() => stories.size > 0)
    else if (given.leaves !== 'in head') await arrived.promise
    // What was written has to be with the server: a connection that is destroyed drops the rest.
    await turnsUntil(() => socket.writableLength === 0)
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => void setTimeout(resolve, 2))
    if (given.resets && !('encrypted' in socket)) socket.resetAndDestroy()
    else socket.destroy()
  }
  await closed
  if (given.leaves !== 'stays') return []
  const sent = { method: 'POST', version: '1.1', expects: false, connection: '' } as const
  const requests = Array.from({ length: given.requests }, (_, at) =>
    at === given.requests - 1 ? { ...sent, connection: 'close' } : sent,
  )
  const { responses, faults } = readConnection(Buffer.concat(pieces), requests, hasEnded ? 'ended' : 'reset')
  const whole = responses.filter(({ isComplete }) => isComplete).length
  return whole === given.requests
    ? faults
    : [...faults, `${whole} whole responses to ${given.requests} requests`]
}

/** Waits for a condition, for a bounded number of turns. */
export async function turnsUntil(condition: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 400 && !condition(); turn++)
    await new Promise((resolve) => void setTimeout(resolve, turn < 20 ? 0 : 5))
  return condition()
}

/** CANCEL of HTTP/2 (RFC 9113 section 7) */
const CANCEL = 8
/** `POST` over `http`, as indexed fields (RFC 7541 appendix A) */
const POST = Buffer.from([0x83, 0x86])

/** Leaves within a body, in frames of its own: a stream that Node's client closes ends its body first. */
async function leaveInBody(app: App, given: Case, { stories }: Stage): Promise<readonly string[]> {
  const client = await openFrames(app)
  const fields = [field(':path', '/0'), field(':authority', 'x'), field('content-type', typeOf(given))]
  client.socket.write(frame(TYPE.headers, END_HEADERS, 1, Buffer.concat([POST, ...fields])))
  client.socket.write(frame(TYPE.data, 0, 1, Buffer.from(bodyOf(given).slice(0, -7))))
  await turnsUntil(() => stories.size > 0)
  if (!given.resets) client.socket.write(frame(TYPE.rstStream, 0, 1, uint32(CANCEL)))
  client.socket.end()
  await client.closed
  return []
}

async function overHttp2(app: App, given: Case, stage: Stage): Promise<readonly string[]> {
  if (given.leaves === 'in body') return leaveInBody(app, given, stage)
  const session = connectHttp2(`http://127.0.0.1:${(await listenOnce(app)).port}`)
  session.on('error', () => {})
  const ask = async (at: number): Promise<number> => {
    const head = { ':method': 'POST', ':path': `/${at}`, 'content-type': typeOf(given) }
    const stream = session.request(head)
    let ended = 0
    const closed = new Promise<void>((resolve) => void stream.once('close', () => resolve()))
    stream.on('error', () => {}).on('end', () => (ended = stream.rstCode === 0 ? 1 : 0))
    stream.resume()
    stream.end(bodyOf(given))
    if (given.leaves !== 'stays') await stage.arrived.promise
    if (given.leaves !== 'stays' && given.resets) session.destroy()
    else if (given.leaves !== 'stays') stream.close(CANCEL)
    await closed
    return ended
  }
  const whole = await Promise.all(Array.from({ length: given.requests }, (_, at) => ask(at)))
  session.destroy()
  return given.leaves === 'stays' && whole.includes(0) ? ['a stream without a whole response'] : []
}

async function overFetch(app: App, given: Case, stage: Stage): Promise<readonly string[]> {
  await app.ready()
  const ask = async (at: number): Promise<void> => {
    const client = new AbortController()
    const headers = { 'content-type': typeOf(given) }
    const init = { method: 'POST', body: bodyOf(given), headers, signal: client.signal }
    const response = Promise.resolve(app.fetch(new Request(`http://x/${at}`, init)))
    const read = response.then((one) => one.text())
    if (given.leaves === 'stays') return void (await read)
    await stage.arrived.promise
    client.abort()
    await read.catch(() => {})
  }
  const all = await Promise.allSettled(Array.from({ length: given.requests }, (_, at) => ask(at)))
  return all.flatMap((one) => (one.status === 'rejected' ? [`a response failed: ${one.reason}`] : []))
}

async function overInject(app: App, given: Case): Promise<readonly string[]> {
  const headers = { 'content-type': typeOf(given) }
  const ask = (at: number) => app.inject({ method: 'POST', url: `/${at}`, payload: bodyOf(given), headers })
  await Promise.all(Array.from({ length: given.requests }, (_, at) => ask(at)))
  return []
}

/** The transports that cases are played over. */
export const LANES: readonly Lane[] = [
  { name: 'the engine', options: {}, hasRaw: true, leaves: ALL, play: overTcp },
  {
    name: 'the engine over TLS',
    options: { https: certificate() },
    hasRaw: true,
    leaves: ALL,
    play: overTcp,
  },
  // The deadlines of `node:http` are checked at this interval.
  {
    name: 'node:http',
    options: { transport: 'node', http: { connectionsCheckingInterval: 100 } },
    hasRaw: true,
    leaves: ALL,
    play: overTcp,
  },
  {
    name: 'HTTP/2',
    options: { http2: true },
    hasRaw: true,
    leaves: [...WHOLE, 'in body'],
    play: overHttp2,
  },
  { name: 'app.fetch', options: {}, hasRaw: false, leaves: WHOLE, play: overFetch },
  { name: 'app.inject', options: {}, hasRaw: true, leaves: ['stays'], play: overInject },
]
