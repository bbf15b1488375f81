import { Readable } from 'node:stream'

/** The part of a web stream (WHATWG Streams) that is read, of any implementation. */
export interface WebStream {
  readonly locked: boolean
  getReader(): WebReader
  cancel(reason?: unknown): Promise<void>
}

interface WebReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
  cancel(reason?: unknown): Promise<void>
}

/** Whether a value is a web stream. */
export function isWebStream(value: unknown): value is WebStream {
  return typeof value === 'object' && value !== null && 'getReader' in value
}

/** Whether a value is a web `Response`, of any implementation. */
export const isResponse = (value: unknown): value is Response =>
  Object.prototype.toString.call(value) === '[object Response]'

/** Reads a web stream as a Node stream. If it is destroyed, the source is cancelled at once, also while it is silent. */
export class ReadOfWeb extends Readable {
  readonly #reader: WebReader

  constructor(source: WebStream) {
    super()
    this.#reader = source.getReader()
  }

  override _read(): void {
    const take = ({ done, value }: Awaited<ReturnType<WebReader['read']>>): void => {
      if (!this.destroyed) this.push(done ? null : bytesOf(value))
    }
    this.#reader
      .read()
      .then(take)
      .catch((error: unknown) => void this.destroy(errorOf(error)))
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const end = (): void => done(error)
    this.#reader.cancel(error).then(end, end)
  }
}

/** The framework refuses a chunk that is no content; here its type is the reason that the stream fails. */
function bytesOf(chunk: unknown): Buffer | string {
  if (typeof chunk === 'string') return chunk
  if (ArrayBuffer.isView(chunk)) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  if (chunk instanceof ArrayBuffer) return Buffer.from(chunk)
  throw new TypeError(`A chunk of a web stream must be text or bytes, got ${typeof chunk}`)
}

const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error('The web stream of the payload failed', { cause: thrown })

/** Returns a Node stream as a web stream. */
export function streamOf(content: Readable): ReadableStream {
  const chunks = content[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const next: IteratorResult<unknown> = await chunks.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: () => void content.destroy(),
    },
    { highWaterMark: 0 },
  )
}

/** Returns a `Response` with the same status, and other fields and content. */
export function withFields(response: Response, headers: Headers, body: ReadableStream | null): Response {
  const { status, statusText } = response
  return new Response(body, { status, statusText, headers })
}
