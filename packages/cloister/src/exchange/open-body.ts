import { PieceJoiner } from '../byte-collector.ts'
import { chunkBytes } from '../bytes.ts'
import { createError } from '../errors.ts'
import { hush } from '../guards.ts'
import { FETCH, type Content, type Exchange } from './exchange.ts'
import { listenTo, release, type ByteStream } from './streams.ts'

/** Gets a body. Nothing is called after `broken` and `sent`, and only `sent` after `end`. */
export interface BodyListener {
  /** gets bytes; small pieces are joined, whatever the client has made of them */
  readonly data: (bytes: Uint8Array) => void
  readonly end: () => void
  /** gets `CLO_ERR_CTP_BODY_ABORTED`, or what the listener has thrown */
  readonly broken: (error: unknown) => void
  /** called when the response was sent: the rest is not read */
  readonly sent: () => void
}

type Source = Pick<Exchange, 'bodyStream' | 'onFinished' | 'protocol' | 'readBody' | 'turn'>

/** What has come of a body: nothing, bytes, all that its client had sent before it left, its end; or it is not read. */
type Phase = 'waiting' | 'reading' | 'left' | 'ended' | 'over'

/** A body that is read as a stream, in the order in which it arrives. */
export class OpenBody {
  readonly #exchange: Source
  readonly #stream: ByteStream
  readonly #listener: BodyListener
  readonly #joiner: PieceJoiner
  #phase: Phase = 'waiting'
  #unlisten: () => void = () => {}

  /** @param replaced - the stream that a hook has put in the place of the body; `null` if none has */
  constructor(exchange: Source, replaced: ByteStream | null, listener: BodyListener) {
    this.#exchange = exchange
    this.#stream = replaced ?? exchange.bodyStream
    this.#listener = listener
    this.#joiner = new PieceJoiner((bytes) => this.#pass(() => listener.data(bytes)))
  }

  /** Begins to read; a paused body waits for `resume`. */
  start(): void {
    this.#exchange.onFinished((outcome) => this.#leave(outcome === null))
    if (this.#isLeft) {
      this.#readLeft()
      return
    }
    this.#unlisten = listenTo(this.#stream, {
      data: (chunk) => {
        this.#phase = 'reading'
        this.#joiner.add(chunkBytes(chunk))
      },
      end: () => this.#end(),
      error: () => this.#break(),
      close: () => this.#break(),
    })
    // A stream of a hook may have failed before, and emits no more events.
    const isFailed = !this.#isOwn && this.#stream.destroyed === true
    if (isFailed) queueMicrotask(() => this.#break())
  }

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    if (this.#isOpen) this.#stream.resume()
  }

  /** Ends reading without a call. On a connection, other requests may follow the body; with `fetch` nothing follows. */
  stop(): void {
    if (this.#phase === 'over') return
    this.#phase = 'over'
    this.#unlisten()
    this.#joiner.drop()
    this.#stream.on('error', hush)
    if (this.#exchange.protocol === FETCH) void release(this.#stream)
    else this.#stream.resume()
  }

  /** Whether no hook has replaced the body. */
  get #isOwn(): boolean {
    return this.#stream === this.#exchange.bodyStream
  }

  /** Whether more of the body may come. */
  get #isOpen(): boolean {
    return this.#phase === 'waiting' || this.#phase === 'reading'
  }

  /** Whether the client has gone and nothing of its body was read: what came is still there. */
  get #isLeft(): boolean {
    return this.#isOwn && this.#phase === 'waiting' && this.#exchange.turn.isGone
  }

  #end(): void {
    if (this.#phase === 'over') return
    this.#phase = 'ended'
    this.#unlisten()
    this.#stream.on('error', hush)
    this.#joiner.flush()
    this.#pass(() => this.#listener.end())
  }

  #break(): void {
    if (this.#isLeft) this.#readLeft()
    else this.#fail(createError('CTP_BODY_ABORTED', {}))
  }

  /** A request that came whole is handled, also if its client has gone while a hook or the handler waited. */
  #readLeft(): void {
    this.#phase = 'left'
    this.#unlisten()
    this.#stream.on('error', hush)
    const take = (content: Content): void => {
      const bytes = chunkBytes(content)
      if (bytes.byteLength > 0) this.#joiner.add(bytes)
      this.#end()
    }
    void readAll(this.#exchange).then(take, (error: unknown) => this.#fail(error))
  }

  /** The response was sent, or the client has gone; then the body itself tells whether it is whole. */
  #leave(isSent: boolean): void {
    if (this.#phase === 'over') return
    if (isSent) {
      this.stop()
      this.#listener.sent()
    } else if (this.#exchange.protocol === FETCH && this.#isOpen) this.#break()
  }

  #pass(call: () => void): void {
    if (this.#phase === 'over') return
    try {
      call()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** A body that its listener refuses is not read, as one that nothing waits for. */
  #fail(error: unknown): void {
    if (this.#phase === 'over') return
    this.stop()
    this.#listener.broken(error)
  }
}

async function readAll(exchange: Source): Promise<Content> {
  let all: Content = ''
  await exchange.readBody(null, Infinity, 'bytes', {
    receive: (content) => void (all = content),
    refuse: (error) => error,
    consumed: () => createError('CTP_BODY_ABORTED', {}),
  })
  return all
}
