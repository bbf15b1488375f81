import { chunkBytes } from '../bytes.ts'
import type { ByteStream, WebStream, ContentTarget, PumpSettled, StopPump } from '../exchange/streams.ts'
import type { ContentWriter, ResponseHeaders } from '../exchange/exchange.ts'
import { kPlan } from '../symbols.ts'
import { nextTurn } from '../platform.ts'
import { requestSignal } from './watch.ts'
import type { ReplyState } from './state.ts'

/*
 * Event streams end when the app begins to close; otherwise each would delay the end of the process until the grace
 * period is over. They end after a whole event, with a last `retry`, so that clients soon reconnect to another process
 * (WHATWG HTML section 9.2.6).
 */

/** A field that makes the client reconnect after a second. */
const LAST_FIELD = 'retry: 1000\n\n'
/** The bytes of two line ends, at most. */
const BLANK_LINE = 4

/** Whether a response is an event stream that is sent as it is; a content coding would have its own end. */
export function isEventStream(headers: ResponseHeaders): boolean {
  const { 'content-type': type, 'content-encoding': coding, 'content-length': length } = headers
  return (
    typeof type === 'string' &&
    /^text\/event-stream *(?:;|$)/i.test(type) &&
    coding === undefined &&
    length === undefined
  )
}

/** An open event stream, or a connection after an upgrade. */
export interface EventStream {
  /** Asks the application to end it, and ends it after the next whole event. */
  close(): void
  /** settles when the handler has ended, which may be after the connection */
  readonly handled?: Promise<void>
}

/** The open event streams of an app, and its connections after an upgrade. */
export class EventStreams {
  readonly #open = new Set<EventStream>()
  #isClosing = false

  add(stream: EventStream): void {
    this.#open.add(stream)
    if (this.#isClosing) stream.close()
  }

  delete(stream: EventStream): void {
    this.#open.delete(stream)
  }

  /** Resolves when their handlers have ended. */
  async handled(): Promise<void> {
    for (const { handled } of this.#open) await handled
  }

  /** Ends all of them, and those that begin later. */
  close(): void {
    this.#isClosing = true
    for (const stream of this.#open) stream.close()
  }
}

/** The `app.pump` of event streams, which end when the app begins to close. */
export function pumpEvents(
  reply: ReplyState,
  source: ByteStream | WebStream,
  writer: ContentWriter,
  settled: PumpSettled,
): StopPump {
  const { app } = reply[kPlan]
  const content = new EventContent(writer)
  let isOpen = true
  let isClosing = false
  const settle: PumpSettled = (failure) => {
    if (!isOpen) return settled(failure)
    isOpen = false
    app.eventStreams.delete(stream)
    if (!isClosing || !content.isWhole) return settled(failure)
    // The source may fail because its signal was aborted; its events are whole.
    try {
      content.write(chunkBytes(LAST_FIELD))
      settled(null)
    } catch (thrown) {
      settled({ thrown })
    }
  }
  const end = (): void => {
    if (!isOpen) return
    void stop(null)
    settle(null)
  }
  const stream: EventStream = {
    close() {
      if (isClosing) return
      isClosing = true
      requestSignal(reply.request).abort()
      // The source has one turn to write its last events.
      void nextTurn().then(() => content.whenWhole(end))
    },
  }
  const stop = app.pump(source, content, settle)
  if (isOpen) app.eventStreams.add(stream)
  return (reason) => {
    isOpen = false
    app.eventStreams.delete(stream)
    return stop(reason)
  }
}

/** The content of an event stream, which tracks whether an event is incomplete. */
class EventContent implements ContentTarget {
  readonly #writer: ContentTarget
  /** the last bytes, if they can be part of a blank line */
  #tail: Uint8Array = new Uint8Array()
  #whenWhole: (() => void) | null = null

  constructor(writer: ContentTarget) {
    this.#writer = writer
  }

  write(piece: Uint8Array): boolean {
    const isRead = this.#writer.write(piece)
    const end = piece.length < BLANK_LINE ? Uint8Array.from([...this.#tail, ...piece]) : piece
    this.#tail = end.slice(-BLANK_LINE)
    if (this.#whenWhole !== null) this.whenWhole(this.#whenWhole)
    return isRead
  }

  whenDrained(callback: () => void): void {
    this.#writer.whenDrained(callback)
  }

  /** Nothing has been written, or the last event is whole. */
  get isWhole(): boolean {
    if (this.#tail.length === 0) return true
    const lines = String.fromCharCode(...this.#tail)
      .replaceAll('\r\n', '\n')
      .replaceAll('\r', '\n')
    return lines.endsWith('\n\n')
  }

  /** Calls back once, when the current event is complete. */
  whenWhole(callback: () => void): void {
    this.#whenWhole = this.isWhole ? null : callback
    if (this.isWhole) callback()
  }
}
