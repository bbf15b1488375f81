import { chunkBytes, toBytes } from '../../bytes.ts'
import { createError, wrapThrown } from '../../errors.ts'
import type { WebStream } from '../../exchange/byte-stream.ts'
import type { StreamObserver } from '../../exchange/exchange.ts'
import { prematureClose } from '../../exchange/outcome.ts'
import { typeName } from '../../functions.ts'
import type { FetchResponse } from './fetch-response.ts'
import type { HeadInit } from './response-init.ts'

/** A web stream on its way to the client. */
export interface WebContent {
  readonly response: FetchResponse
  readonly head: HeadInit
  readonly source: WebStream
  readonly observer: StreamObserver
}

/** What a reader of a web stream returns; a stream of the application can yield anything. */
interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
  cancel(reason?: unknown): Promise<void>
}

/**
 * Sends a web stream without any stream of Node between. The response begins with the first chunk, so that a source
 * that fails before can still become an error response; later the client gets a stream that fails too. Nothing is read
 * that the client has not asked for.
 */
export async function sendWebStream({ response, head, source, observer }: WebContent): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream of any implementation has the interface of the standard
  const reader = source.getReader() as Reader
  let isOpen = true
  response.onEnd((outcome) => {
    if (!isOpen) return
    isOpen = false
    if (outcome !== null) observer.failed(outcome, true)
    reader.cancel(outcome).catch(ignore)
  })
  const read = async (): Promise<Uint8Array | null> => {
    const { done, value } = await reader.read()
    return done ? null : contentOf(value)
  }
  const fail = (thrown: unknown): void => {
    if (!isOpen) return
    isOpen = false
    reader.cancel(thrown).catch(ignore)
    observer.failed(wrapThrown(thrown), response.response !== null)
  }
  const finish = (): void => {
    isOpen = false
    response.end(null)
  }
  let first: Uint8Array | null
  try {
    first = await read()
  } catch (error) {
    fail(error)
    return
  }
  if (!isOpen) return
  response.begin(head, first === null ? null : contentStream(first, { read, finish, fail, response }))
  if (first === null) finish()
}

interface Content {
  read(): Promise<Uint8Array | null>
  finish(): void
  fail(error: unknown): void
  readonly response: FetchResponse
}

/** What the platform reads: the chunk that is there, and the others as they are asked for. */
function contentStream(
  first: Uint8Array,
  { read, finish, fail, response }: Content,
): ReadableStream<Uint8Array> {
  let chunk: Uint8Array | null = first
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        response.onEnd((outcome) => {
          if (outcome !== null) controller.error(outcome)
        })
      },
      async pull(controller) {
        try {
          chunk ??= await read()
        } catch (error) {
          fail(error)
          response.end(prematureClose())
          return
        }
        if (chunk !== null) controller.enqueue(chunk)
        else {
          controller.close()
          finish()
        }
        chunk = null
      },
      cancel: () => response.end(prematureClose()),
    },
    { highWaterMark: 0 },
  )
}

function contentOf(chunk: unknown): Uint8Array {
  const bytes = typeof chunk === 'string' ? chunkBytes(chunk) : toBytes(chunk)
  if (bytes === null) throw createError('REP_INVALID_PAYLOAD_TYPE', { type: typeName(chunk) })
  return bytes
}

function ignore(): void {}
