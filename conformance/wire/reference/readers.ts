// The engine and Node's parser, each as a reader of one text: what the reference is compared with.
import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { HAS_LENGTH, IS_CHUNKED, IS_INADMISSIBLE } from '../../../packages/wire/src/head/field-rules.ts'
import { ChunkedDecoder } from '../../../packages/wire/src/body/chunked.ts'
import { HeadScanner, OFFSETS } from '../../../packages/wire/src/head/head-scanner.ts'
import { INCOMPLETE, ParseError, UNUSUAL } from '../../../packages/wire/src/head/verdicts.ts'
import type { Message } from './read-message.ts'

type Pairs = (readonly [string, string])[]

/** What the engine makes of a text; a message that is left to Node is `unusual`. */
export type EngineReading =
  | Message
  | { readonly kind: 'incomplete' | 'unusual' | 'inadmissible' }
  | { readonly kind: 'refused'; readonly reason: string }

/** @param cuts - where the text was cut on its way, in order */
export function readByEngine(bytes: Buffer, cuts: readonly number[] = []): EngineReading {
  const scanner = new HeadScanner(() => false)
  let end = INCOMPLETE
  const arrivals = [...cuts, bytes.length]
  for (const arrived of arrivals) {
    end = scanner.scan(bytes, 0, arrived)
    if (end !== INCOMPLETE) break
  }
  if (end === INCOMPLETE) return { kind: 'incomplete' }
  if (end === UNUSUAL) return { kind: 'unusual' }
  if (end < 0) return { kind: 'refused', reason: scanner.fault.reason }
  if ((scanner.flags & IS_INADMISSIBLE) !== 0) return { kind: 'inadmissible' }
  const textOf = (from: number, to: number): string => bytes.toString('latin1', from, to)
  const fields: Pairs = Array.from({ length: scanner.fieldCount }, (_, index) => {
    const [nameStart, nameEnd, valueStart, valueEnd] = scanner.offsets.subarray(index * OFFSETS)
    return [textOf(nameStart ?? 0, nameEnd ?? 0), textOf(valueStart ?? 0, valueEnd ?? 0)]
  })
  const { method, targetStart, targetEnd, flags, bodyLength } = scanner
  const head = {
    kind: 'message',
    method,
    target: textOf(targetStart, targetEnd),
    version: 'HTTP/1.1',
    fields,
  } as const
  if ((flags & IS_CHUNKED) !== 0) return readChunked(bytes, end, arrivals, head)
  const behind = end + bodyLength
  if (bytes.length < behind) return { kind: 'incomplete' }
  const framing = (flags & HAS_LENGTH) === 0 ? 'none' : 'length'
  return { ...head, framing, content: textOf(end, behind), trailers: [], end: behind }
}

function readChunked(
  bytes: Buffer,
  start: number,
  arrivals: readonly number[],
  head: Pick<Message, 'kind' | 'method' | 'target' | 'version' | 'fields'>,
): EngineReading {
  const decoder = new ChunkedDecoder()
  let content = ''
  const target = {
    take: (from: Buffer, begin: number, behind: number) =>
      void (content += from.toString('latin1', begin, behind)),
  }
  let at = start
  try {
    for (const arrived of arrivals)
      if (arrived > at && !decoder.isDone) at = decoder.feed(bytes, at, arrived, target)
  } catch (error) {
    if (error instanceof ParseError)
      return { kind: 'refused', reason: error.message.replace('Parse Error: ', '') }
    throw error
  }
  if (!decoder.isDone) return { kind: 'incomplete' }
  return { ...head, framing: 'chunked', content, trailers: pairsOf(decoder.trailers ?? []), end: at }
}

function pairsOf(list: readonly string[]): Pairs {
  return Array.from({ length: list.length / 2 }, (_, index) => [
    list[index * 2] ?? '',
    list[index * 2 + 1] ?? '',
  ])
}

/** A message of Node's parser, which does not say where it ends. */
export type NodeMessage = Pick<Message, 'method' | 'target' | 'version' | 'fields' | 'content' | 'trailers'>

/**
 * Makes a reader of all requests in a text, up to the first that Node's parser refuses. A server of Node reads them from a
 * stream that is no socket.
 */
export function createNodeReader(): (bytes: Buffer) => Promise<readonly NodeMessage[]> {
  const found = new WeakMap<object, NodeMessage[]>()
  // The reference is about the messages; what a server wants of them beside is checked elsewhere.
  const server = createServer({ requireHostHeader: false })
  const take = (request: IncomingMessage): void => {
    const { method = '', url = '', httpVersion, rawHeaders, socket } = request
    const messages = found.get(socket) ?? []
    let content = ''
    request.on('data', (piece: Buffer) => {
      content += piece.toString('latin1')
    })
    request.on('end', () => {
      const trailers = pairsOf(request.rawTrailers)
      const version = `HTTP/${httpVersion}`
      messages.push({ method, target: url, version, fields: pairsOf(rawHeaders), content, trailers })
    })
  }
  for (const event of ['request', 'checkContinue', 'checkExpectation', 'connect']) server.on(event, take)
  server.on('clientError', () => {})
  return async (bytes) => {
    const messages: NodeMessage[] = []
    const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    found.set(stream, messages)
    server.emit('connection', stream)
    stream.push(bytes)
    // Once to read the bytes, once more to end the requests.
    await setImmediate()
    await setImmediate()
    stream.destroy()
    return messages
  }
}
