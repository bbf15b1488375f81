import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'

import { createError } from '../../errors.ts'
import { isRecord } from '../../guards.ts'
import { logSafely, type LogOwner } from '../../logging/request-log.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'
import { logStall, Pings, Progress } from './progress.ts'

/** The type of the frame that a head is sent in (RFC 9113 section 6.2). */
const HEADERS = 1
/** `NGHTTP2_CANCEL`: the stream is no longer needed (RFC 9113 section 7). */
const CANCEL = 8
/** The part of a response that the client must read within `writeTimeout`, in bytes; otherwise the stream is closed. */
const MIN_READ = 65_536

/** Deadlines of HTTP/2, in milliseconds; 0 means none. */
export type SessionDeadlines = Pick<
  AppOptions,
  'writeTimeout' | 'headersTimeout' | 'requestTimeout' | 'http2SessionTimeout'
>

interface OpenStream {
  readonly since: number
  readonly taken: Progress
  /** The unwritten bytes of the response when its client last read anything. Later writes don't extend the time. */
  unwritten: number
  request: IncomingMessage | null
}

class Session {
  readonly streams: Map<ServerHttp2Stream, OpenStream> = new Map()
  readonly progress: Progress = new Progress()
  readonly pings: Pings = new Pings()
  idleSince: number = performance.now()
}

/** The HTTP/2 sessions of an app with their deadlines. */
export class Sessions {
  readonly #open = new Map<ServerHttp2Session, Session>()
  readonly #byStream = new WeakMap<object, OpenStream>()
  readonly #deadlines: SessionDeadlines
  readonly #logs: LogOwner

  constructor(deadlines: SessionDeadlines, logs: LogOwner) {
    this.#deadlines = deadlines
    this.#logs = logs
  }

  add(session: ServerHttp2Session): void {
    const opened = new Session()
    this.#open.set(session, opened)
    // Runs before the server handles the request of the stream.
    session.prependListener('stream', (stream) => this.#addStream(opened, stream))
    session.once('close', () => this.#open.delete(session))
  }

  #addStream(session: Session, stream: ServerHttp2Stream): void {
    const since = performance.now()
    const open: OpenStream = { since, taken: new Progress(), unwritten: 0, request: null }
    session.streams.set(stream, open)
    session.pings.heard()
    this.#byStream.set(stream, open)
    stream.once('frameError', (type) => {
      if (type === HEADERS) this.#logHead(open)
    })
    stream.once('close', () => {
      session.streams.delete(stream)
      session.idleSince = performance.now()
    })
  }

  /** A response whose head cannot be sent looks to the app as if the client had gone. Node ends its session, too. */
  #logHead({ request }: OpenStream): void {
    const line = `the headers of the response to ${request?.method} ${request?.url} are larger than HTTP/2 allows (64 KiB); its stream is cut`
    logSafely(this.#logs, () => this.#logs.logger.error(line))
  }

  /** Stores the request of a stream, for the errors that concern it. */
  addRequest(request: IncomingMessage & { readonly stream?: unknown }): void {
    const { stream } = request
    const open = isRecord(stream) ? this.#byStream.get(stream) : undefined
    if (open !== undefined) open.request = request
  }

  sweep(now: number): void {
    for (const [session, opened] of this.#open) this.#look(session, opened, now)
  }

  #look(session: ServerHttp2Session, { streams, progress, pings, idleSince }: Session, now: number): void {
    const { writeTimeout, headersTimeout, requestTimeout, http2SessionTimeout } = this.#deadlines
    if (streams.size === 0) {
      // Node counts pings and partial heads as activity.
      if (http2SessionTimeout > 0 && now - idleSince >= http2SessionTimeout) end(session)
      return
    }
    const isWaiting = [...streams.keys()].some((stream) => stream.writableLength > 0)
    const stalledFor = progress.stalledFor(now, isWaiting ? sessionProgress(session) : '')
    if (writeTimeout > 0 && stalledFor >= writeTimeout) {
      logStall(this.#logs, writeTimeout, 'response', 'connection')
      session.destroy()
      return
    }
    if (headersTimeout > 0 && pings.isOverdue(session, now, headersTimeout)) {
      const line = `a client has acknowledged no PING for ${headersTimeout} ms (headersTimeout), as one does that sends half a head; its session is cut`
      logSafely(this.#logs, () => this.#logs.logger.info(line))
      session.destroy()
      return
    }
    for (const [stream, open] of streams) {
      if (requestTimeout > 0 && now - open.since >= requestTimeout) missBody(stream, open)
      if (writeTimeout > 0 && this.#hasStalled(stream, open, now)) stream.close(CANCEL)
    }
  }

  /** Returns whether one stream waits for its client, or its body for a reader, even if others make progress. */
  #hasStalled(stream: ServerHttp2Stream, open: OpenStream, now: number): boolean {
    const { writableLength } = stream
    const isWritten = writableLength === 0
    const seen = isWritten ? heldBody(stream, open) : streamProgress(stream)
    const stalledFor = open.taken.stalledFor(now, seen)
    if (stalledFor === 0) open.unwritten = writableLength
    const { writeTimeout } = this.#deadlines
    const time = writeTimeout * Math.max(1, Math.ceil(open.unwritten / MIN_READ))
    if (seen === '' || stalledFor < time) return false
    logStall(this.#logs, writeTimeout, isWritten ? 'body' : 'response', 'stream')
    return true
  }

  /** Sessions accept no new requests, and end after the last response. */
  close(): void {
    for (const session of this.#open.keys()) session.close()
  }

  destroy(): void {
    for (const session of this.#open.keys()) session.destroy()
  }
}

/** Ends a session without streams. If it is still receiving part of a head, the next sweep destroys it. */
function end(session: ServerHttp2Session): void {
  if (session.closed) session.destroy()
  else session.close()
}

function sessionProgress(session: ServerHttp2Session): string {
  const { remoteWindowSize, outboundQueueSize } = session.state
  return `${remoteWindowSize} ${outboundQueueSize} ${bytesWritten(Reflect.get(session.socket, '_handle'))}`
}

/**
 * Returns a text that changes when the client has taken a whole write and the next one begins, but not when more is
 * written. Without the handle (other Node versions) it is the length of the pending data.
 */
function streamProgress(stream: ServerHttp2Stream): string {
  const written = bytesWritten(handleOf(stream))
  return written === '' ? String(stream.writableLength) : written
}

function handleOf(stream: ServerHttp2Stream): unknown {
  const key = Object.getOwnPropertySymbols(stream).find(({ description }) => description === 'kHandle')
  return key === undefined ? null : Reflect.get(stream, key)
}

/** Returns a text that changes when the application takes more of a body whose response is sent; empty if none waits. */
function heldBody(stream: ServerHttp2Stream, { request }: OpenStream): string {
  const isOver = request === null || !stream.writableFinished || stream.closed
  const waiting = isOver ? 0 : request.readableLength
  if (waiting === 0) return ''
  const handle = handleOf(stream)
  // The bytes that have come: a reader that is slower than its client always has as many in front of it.
  const received = isRecord(handle) ? handle['bytesRead'] : undefined
  return received === undefined ? '' : `body ${String(received)} ${waiting}`
}

/** Sessions bypass the counter of their socket, and streams their own, so the handles are read. */
function bytesWritten(handle: unknown): string {
  return isRecord(handle) ? String(handle['bytesWritten'] ?? '') : ''
}

/** Reports the error to the reader of the body, or closes the stream. */
function missBody(stream: ServerHttp2Stream, { request }: OpenStream): void {
  if (stream.readableEnded || stream.endAfterHeaders || stream.closed) return
  if (request !== null && !stream.headersSent && request.listenerCount('error') > 0) {
    request.emit('error', createError('CTP_BODY_TIMEOUT', {}))
  } else stream.close(CANCEL)
}
