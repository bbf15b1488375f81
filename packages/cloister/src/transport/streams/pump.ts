import { Readable } from 'node:stream'

import { prematureClose } from '../../exchange/outcome.ts'

/** The part of a response that a pump writes to. */
export interface PumpTarget {
  readonly writableNeedDrain?: boolean
  write(chunk: string | Uint8Array): boolean
  on(event: 'drain', listener: () => void): unknown
}

/** Called once, when a stream has ended (`null`) or failed. */
export type PumpSettled = (failure: unknown) => void

/**
 * Whether {@link pump} can read a stream: one of Node's that has not begun, and that nothing else reads. A class of its
 * own with another `pipe` reads itself.
 */
export function canPump(source: Readable): boolean {
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
 * Writes what a stream yields to a response, with back-pressure. It does not end the response.
 *
 * `pipe` and `finished` of Node do the same for any two streams. They add a second listener to most events of both, and
 * events with one listener cost much less; a response keeps one listener for each event.
 */
export function pump(source: Readable, target: PumpTarget, settled: PumpSettled): void {
  let isOpen = true
  let waits = false
  // Not `once`: V8 soon allocates what that makes among the old objects, where it keeps its request.
  const pause = (): void => {
    source.pause()
    if (!waits) target.on('drain', () => isOpen && source.resume())
    waits = true
  }
  const onData = (chunk: string | Uint8Array): void => {
    if (!target.write(chunk)) pause()
  }
  const settle = (failure: unknown): void => {
    isOpen = false
    // The table of listeners may be among the old objects too: it must keep nothing until the next full collection.
    source.off('data', onData)
    source.off('end', onEnd)
    source.off('close', onClose)
    source.off('error', onError)
    source.on('error', ignore)
    settled(failure)
  }
  const onEnd = (): void => settle(null)
  const onError = (error: unknown): void => settle(error ?? prematureClose())
  const onClose = (): void => settle(source.errored ?? prematureClose())
  source.on('data', onData)
  source.on('end', onEnd)
  source.on('error', onError)
  source.on('close', onClose)
  if (target.writableNeedDrain === true) pause()
  else source.resume()
}

/** An error after the end must not become an uncaught one. */
function ignore(): void {}
