import { prematureClose } from '@cloister/wire/message/internal'
import { finished, PassThrough, Readable } from 'node:stream'

import { chunkBytes } from '../../bytes.ts'
import {
  listenTo,
  release,
  type ByteStream,
  type WebStream,
  type ContentTarget,
  type PumpSettled,
  type StopPump,
} from '../../exchange/streams.ts'
import { look } from '../../foreign.ts'
import { hush, whenSettled } from '../../guards.ts'
import { nextTurn } from '../../platform.ts'
import { contentOf, guardFailures } from './content-stream.ts'

/** The most bytes and pieces of a source that are written before timers and signals get their turn. */
const MAX_BYTES = 1_048_576
const MAX_PIECES = 256

/**
 * Counts what a source gives. A target without a connection never makes it wait, and a source that always has more
 * would otherwise keep the event loop for itself.
 */
class Budget {
  #bytes = 0
  #pieces = 0

  /** @returns whether the next piece must wait for the next turn of the event loop */
  spend(bytes: number): boolean {
    this.#bytes += bytes
    this.#pieces += 1
    if (this.#bytes < MAX_BYTES && this.#pieces < MAX_PIECES) return false
    this.#bytes = 0
    this.#pieces = 0
    return true
  }
}

/**
 * Writes a stream to a response with backpressure. It does not end the response.
 *
 * @returns a function that releases the source, also after a failure; `settled` is not called then
 */
export function pump(source: ByteStream | WebStream, writer: ContentTarget, settled: PumpSettled): StopPump {
  if ('getReader' in source) return pumpWeb(source, writer, settled)
  guardFailures(source)
  if (canPump(source)) return pumpNode(source, writer, settled)
  return pumpPiped(source, writer, settled)
}

/**
 * Reads a web stream chunk by chunk. Each chunk is written before the next is read. A stream of the application may
 * return any value.
 */
function pumpWeb(source: WebStream, writer: ContentTarget, settled: PumpSettled): StopPump {
  const reader = source.getReader()
  const budget = new Budget()
  let isOpen = true
  let stopped: Promise<void> | null = null
  const stop = (reason: unknown): Promise<void> => {
    isOpen = false
    stopped ??= new Promise((resolve) => resolve(reader.cancel(reason))).then(
      () => {},
      (error: unknown) => void hush(error),
    )
    return stopped
  }
  const fail = (thrown: unknown): void => {
    if (!isOpen) return
    void stop(thrown)
    settled({ thrown })
  }
  const next = (): void => {
    if (!isOpen) return
    try {
      whenSettled(reader.read(), take, fail)
    } catch (thrown) {
      fail(thrown)
    }
  }
  const take = (result: unknown): void => {
    if (!isOpen) return
    try {
      if (look(result, 'done') === true) {
        isOpen = false
        settled(null)
        return
      }
      const piece = chunkBytes(contentOf(look(result, 'value')))
      const mustWait = budget.spend(piece.length)
      if (!writer.write(piece)) writer.whenDrained(mustWait ? nextLater : next)
      else if (mustWait) nextLater()
      else next()
    } catch (thrown) {
      fail(thrown)
    }
  }
  const nextLater = (): void => void nextTurn().then(next)
  next()
  return stop
}

/** Returns whether a stream is an unread Node stream without another reader. */
function canPump(source: ByteStream): source is ByteStream & Readable {
  return (
    source instanceof Readable &&
    source.pipe === Readable.prototype.pipe &&
    !source.destroyed &&
    !source.readableEnded &&
    source.listenerCount('data') === 0 &&
    source.listenerCount('readable') === 0
  )
}

/**
 * Reads a Node stream. Node's `pipe` and `finished` do the same, but add a second listener to most events of both
 * streams; events with a single listener are much cheaper.
 */
function pumpNode(source: Readable, writer: ContentTarget, settled: PumpSettled): StopPump {
  const budget = new Budget()
  let isOpen = true
  const close = (late: (thrown: unknown) => void = hush): void => {
    isOpen = false
    // The listener table may be in old space, where it would keep the request alive until the next full collection.
    unlisten()
    source.on('error', late)
  }
  const fail = (thrown: unknown): void => {
    close()
    settled({ thrown: thrown ?? prematureClose() })
  }
  const resume = (): void => {
    if (isOpen) source.resume()
  }
  const resumeLater = (): void => void nextTurn().then(resume)
  const onData = (chunk: unknown): void => {
    let mayGoOn: boolean
    let mustWait: boolean
    try {
      const piece = chunkBytes(contentOf(chunk))
      mustWait = budget.spend(piece.length)
      mayGoOn = writer.write(piece)
    } catch (thrown) {
      close()
      void release(source)
      settled({ thrown })
      return
    }
    if (mayGoOn && !mustWait) return
    source.pause()
    const goOn = mustWait ? resumeLater : resume
    if (mayGoOn) goOn()
    else writer.whenDrained(goOn)
  }
  const unlisten = listenTo(source, {
    data: onData,
    end: () => {
      close((thrown) => settled({ thrown }))
      settled(null)
    },
    error: fail,
    close: () => fail(source.errored),
  })
  source.resume()
  return () => {
    if (isOpen) close()
    return release(source)
  }
}

/**
 * Lets a stream pipe itself, if it has already begun, is also read elsewhere, or has its own `pipe` method, which may
 * change the content.
 */
function pumpPiped(source: ByteStream, writer: ContentTarget, settled: PumpSettled): StopPump {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- libraries make streams that have `pipe` and events and are no instances of Node's classes
  const stream = source as unknown as Readable
  const whole = new PassThrough()
  let isOpen = true
  const settle: PumpSettled = (failure) => {
    if (!isOpen) return
    isOpen = false
    if (failure !== null) void release(stream)
    settled(failure)
  }
  const fail = (thrown: unknown): void => {
    if (!isOpen) return
    isOpen = false
    void stop(thrown)
    settled({ thrown })
  }
  const stop = pumpNode(whole, writer, settle)
  try {
    // A stream may fail with an empty error, which `finished` treats as its end.
    stream.on('error', (error: unknown) => fail(error ?? prematureClose()))
    // A stream that was closed before may already have emitted its events.
    if (stream.destroyed) process.nextTick(fail, stream.errored ?? prematureClose())
    finished(stream, { readable: true, writable: false }, (error) => {
      if (error != null) fail(error)
    })
    stream.pipe(whole)
  } catch (thrown) {
    fail(thrown)
  }
  return (reason) => {
    isOpen = false
    void stop(reason)
    return release(stream)
  }
}
