// The engine and Node's parser, each as a reader of one text: what the reference is compared with.
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
  const scanner = new HeadScanner()
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

interface NodeParser {
  [callback: number]: (...args: never[]) => unknown
  initialize(type: number, resource: object): void
  execute(bytes: Buffer): unknown
  /** Frees it; nothing else does. */
  close(): void
}

interface NodeBinding {
  readonly methods: readonly string[]
  readonly HTTPParser: (new () => NodeParser) & Readonly<Record<string, number>>
}

/**
 * Makes a reader of all requests in a text, up to the first that Node's parser refuses. Node gives that parser to its
 * own modules alone.
 */
export function createNodeReader(): (bytes: Buffer) => readonly NodeMessage[] {
  const binding: (name: string) => unknown = Reflect.get(process, 'binding')
  const { HTTPParser, methods } = binding.call(process, 'http_parser') as NodeBinding
  const {
    REQUEST = 1,
    kOnHeaders = 1,
    kOnHeadersComplete = 2,
    kOnBody = 3,
    kOnMessageComplete = 4,
  } = HTTPParser
  return (bytes) => {
    const messages: NodeMessage[] = []
    let open: Omit<NodeMessage, 'content' | 'trailers'> | null = null
    let content = ''
    /** Node hands over fields in parts, and trailers like fields. */
    let lines: string[] = []
    let start = ''
    const parser = new HTTPParser()
    parser.initialize(REQUEST, {})
    Object.assign(parser, {
      [kOnHeaders]: (more: readonly string[], url: string) => {
        lines.push(...more)
        start += url
      },
      [kOnHeadersComplete]: (
        major: number,
        minor: number,
        all: readonly string[] | undefined,
        method: number,
        url: string | undefined,
      ) => {
        const fields = pairsOf(all ?? lines)
        open = {
          method: methods[method] ?? '',
          target: url ?? start,
          version: `HTTP/${major}.${minor}`,
          fields,
        }
        content = ''
        lines = []
        start = ''
        return 0
      },
      [kOnBody]: (piece: Buffer) => {
        content += piece.toString('latin1')
      },
      [kOnMessageComplete]: () => {
        if (open !== null) messages.push({ ...open, content, trailers: pairsOf(lines) })
        open = null
        lines = []
        start = ''
      },
    })
    parser.execute(bytes)
    parser.close()
    return messages
  }
}
