// Plays one case over a real connection, and judges what came back.
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { contentOf } from './behave.ts'
import type { Behaviour, Case } from './draw-case.ts'
import { StrictClient } from './lanes.ts'
import type { End, Reading, SentRequest } from './strict-client.ts'

/** Where a case is played. */
export interface Target {
  readonly address: AddressInfo
  readonly isEncrypted: boolean
  /** whether the log has a line with a reason for the end of a request */
  hasReason(id: string): boolean
}

const BODY = 'ten octets'
/** A request without a response by then never gets one. */
const HANG_MS = 3000
/** Bytes behind the last response would have come by then. */
const QUIET_MS = 25

interface Sending extends SentRequest {
  readonly id: string
  readonly behaviour: Behaviour
  readonly head: string
  readonly body: string
  readonly sendsBodyLater: boolean
}

function prepare(id: string, behaviour: Behaviour, version: Case['version']): Sending {
  const { method, connection, expects, reads, sends } = behaviour
  const isChunked = behaviour.body.startsWith('chunked') && version === '1.1'
  const hasBody = behaviour.body !== 'none'
  const path = sends === 'late' || behaviour.payload.startsWith('late') ? 't' : 'c'
  const lines = [`${method} /${path}/${id} HTTP/${version}`, 'Host: x']
  if (connection !== '') lines.push(`Connection: ${connection}`)
  if (expects) lines.push('Expect: 100-continue')
  if (hasBody) lines.push(`Content-Type: ${reads === 'parsed' ? 'text/plain' : 'application/x-stream'}`)
  if (isChunked) lines.push('Transfer-Encoding: chunked')
  else if (hasBody) lines.push(`Content-Length: ${BODY.length}`)
  const body = isChunked ? `a\r\n${BODY}\r\n0\r\n\r\n` : hasBody ? BODY : ''
  return {
    id,
    behaviour,
    method,
    version,
    expects: expects && version === '1.1',
    connection: connection.toLowerCase(),
    head: `${lines.join('\r\n')}\r\n\r\n`,
    body,
    sendsBodyLater: behaviour.body.endsWith('later'),
  }
}

function open({ address, isEncrypted }: Target): StrictClient {
  const { port, address: host } = address
  return new StrictClient(
    isEncrypted
      ? connectTls({ port, host, rejectUnauthorized: false })
      : connect({ port, host, allowHalfOpen: true }),
  )
}

/** Plays a case. @returns its findings */
export async function playCase(target: Target, given: Case, name: string): Promise<string[]> {
  const sendings = given.requests.map((behaviour, index) =>
    prepare(`${name}-${index}`, behaviour, given.version),
  )
  const client = open(target)
  const readNow = (): Reading => client.read(sendings)
  const hasCome = (count: number): boolean => {
    if (client.end !== 'open') return true
    const { responses } = readNow()
    const last = responses.at(-1)
    if (last !== undefined && !last.isComplete) {
      // An error that takes the place of the stream has an end.
      const isError = last.fields.get('content-type')?.[0]?.startsWith('application/json') === true
      return !isError && isEndless(sendings, responses.length)
    }
    return responses.length >= count
  }
  const sendBody = async ({ sendsBodyLater, expects, body }: Sending, index: number): Promise<void> => {
    if (sendsBodyLater)
      await client.until(
        () =>
          (expects ? /HTTP\/1\.1 100/.test(client.bytes.toString('latin1')) : false) || hasCome(index + 1),
        15,
      )
    client.write(body)
  }
  let isHanging = false
  for (const [index, sending] of sendings.entries()) {
    client.write(sending.sendsBodyLater ? sending.head : sending.head + sending.body)
    if (sending.sendsBodyLater) await sendBody(sending, index)
    if (given.isPipelined || given.client !== 'waits') continue
    if (!(await client.until(() => hasCome(index + 1), HANG_MS))) isHanging = true
    if (isHanging || client.end !== 'open') break
  }
  if (given.client === 'aborts') {
    await client.until(() => client.bytes.length > 0, 10)
    client.socket.destroy()
    return []
  }
  if (given.client === 'ends') client.socket.end()
  if (!isHanging && !(await client.until(() => hasCome(sendings.length), HANG_MS))) isHanging = true
  await client.until(() => client.end !== 'open', QUIET_MS)
  const reading = readNow()
  client.socket.destroy()
  return judge(given, sendings, reading, client.end, isHanging, target)
}

/** The log says why the request has ended, or its handler has ended it by destroying a stream of Node. */
function hasReason({ id, behaviour }: Sending, target: Target): boolean {
  return behaviour.fails !== 'none' || target.hasReason(id)
}

function judge(
  given: Case,
  sendings: readonly Sending[],
  { responses, faults }: Reading,
  end: End,
  isHanging: boolean,
  target: Target,
): string[] {
  const findings = faults.filter(
    (fault) =>
      fault !== 'an incomplete response on an open connection' || !isEndless(sendings, responses.length),
  )
  if (isHanging) findings.push('a request without a response')
  for (const [index, { status, content, fields, isComplete }] of responses.entries()) {
    const sending = sendings[index]
    if (sending === undefined) break
    const token = fields.get('x-token')?.[0]
    if (token !== undefined && token !== sending.id) findings.push('the response of another request')
    const { behaviour } = sending
    // A client of Node may take the reset that cuts a content without framing for its end (libuv, at POLLHUP).
    const isFramed = fields.has('content-length') || fields.has('transfer-encoding')
    const isSure = isFramed || (given.client === 'waits' && !hasReason(sending, target))
    if (isComplete && isSure) findings.push(...judgeContent(behaviour, status, content, fields))
    else if (
      !isComplete &&
      given.client === 'waits' &&
      behaviour.payload !== 'never-ending stream' &&
      // The cut of a later response may take the end of this one along.
      !sendings.slice(index).some((one) => hasReason(one, target))
    )
      findings.push('a cut response without a reason in the log')
  }
  const last = responses.at(-1)
  const closes = last === undefined || end !== 'open'
  if (!closes && !isHanging && responses.length < sendings.length && !isEndless(sendings, responses.length))
    findings.push('a request without a response')
  const next = sendings[responses.length]
  if (
    last === undefined &&
    end !== 'open' &&
    given.client === 'waits' &&
    next !== undefined &&
    !sendings.some((one) => hasReason(one, target))
  )
    findings.push('a connection that ends without a response or a reason')
  return findings
}

function isEndless(sendings: readonly Sending[], count: number): boolean {
  return sendings[count - 1]?.behaviour.payload === 'never-ending stream'
}

function judgeContent(
  behaviour: Behaviour,
  status: number,
  content: string,
  fields: ReadonlyMap<string, readonly string[]>,
): string[] {
  const { method, payload } = behaviour
  const coding = fields.get('content-encoding')?.[0]
  if (coding === 'gzip' && content !== '' && !content.startsWith('\x1f\x8b'))
    return ['content-encoding that is not true']
  if (coding === 'deflate' && content !== '' && !content.startsWith('x'))
    return ['content-encoding that is not true']
  // What is set on the raw response stays there.
  const isOfReply = !behaviour.rawHeaders.some(([name]) => name === 'content-encoding')
  if (coding === 'x-drawn' && isOfReply && content.startsWith('{"statusCode":'))
    return ['an error in the coding of another content']
  const isOfHandler =
    status === behaviour.status && fields.get('x-token') !== undefined && behaviour.rawStatus === undefined
  const isError = content.startsWith('{"statusCode":') || (method === 'HEAD' && status >= 400)
  if (!isOfHandler || behaviour.writesBehind || isError) return []
  const bare = method === 'HEAD' || status === 204 || status === 304
  const expected = bare ? '' : contentOf(payload)
  // A declared length that ends with a piece of the content is found out with the next piece.
  const declares = [...behaviour.headers, ...behaviour.rawHeaders].some(([name]) =>
    /content-length/i.test(name),
  )
  if (expected === null && declares) return []
  if (expected === null) return ['a response that looks whole and is not']
  if (payload === 'null' && content === '') return []
  return content === expected ? [] : ['content that is not that of the handler']
}
