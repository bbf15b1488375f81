// Streams that fail at each moment of their lives, of each kind that an application can hand over.
import { EventEmitter } from 'node:events'
import { Duplex, PassThrough, pipeline, Readable, Stream, Transform } from 'node:stream'

/**
 * When a stream fails: long before it is handed over, just before, before its first piece, after it, or when all of it is
 * out.
 */
export const MOMENTS = ['long before', 'before', 'at once', 'after', 'at the end'] as const

/** A moment of {@link MOMENTS}. */
export type Moment = (typeof MOMENTS)[number]

/** A kind of stream that fails. */
export interface Source {
  /** when it can fail */
  readonly moments: readonly Moment[]
  /** makes one that fails with a value */
  readonly make: (value: () => unknown, moment: Moment) => unknown
  /** it calls back: a value that is falsy says that all is well */
  readonly callsBack?: boolean
  /** what fails is behind it, out of our reach: a value whose stack cannot be read makes Node throw there */
  readonly isBehind?: boolean
  /** it fails by what it yields */
  readonly isOfPieces?: boolean
  /** the response may be whole all the same */
  readonly mayPass?: boolean
}

type Make = Source['make']

const ONCE: readonly Moment[] = ['at once']
const WITHIN: readonly Moment[] = ['at once', 'after']
const BEGINNING: readonly Moment[] = ['long before', 'before', 'at once', 'after']

const always = (make: Make): Source => ({ moments: MOMENTS, make })
const within = (make: Make): Source => ({ moments: WITHIN, make })
const once = (make: Make): Source => ({ moments: ONCE, make })

const PIECE = Buffer.from('piece')
const ignore = (): void => {}

const raise = (value: () => unknown) => (): never => {
  throw value()
}

/** Errors of these streams may be no Errors. */
const asError = (value: unknown): Error => value as Error

/** Runs a step in a later turn of the event loop, so that what was written before is on its way. */
const later = (run: () => void): void => void setImmediate(() => setImmediate(run))

/** A readable stream that does something at its moment. */
function readable(moment: Moment, act: (stream: Readable) => void, options: object = {}): Readable {
  let reads = 0
  const stream = new Readable({
    ...options,
    read() {
      reads += 1
      if (moment === 'at once') act(this)
      else if (reads === 1) this.push(PIECE)
      else if (moment === 'after') later(() => act(this))
      else this.push(null)
    },
  })
  if (moment === 'before' || moment === 'long before') {
    stream.on('error', ignore)
    act(stream)
  }
  if (moment === 'at the end') stream.once('end', () => act(stream))
  return stream
}

async function* pieces(value: () => unknown, moment: Moment): AsyncGenerator<Buffer, void> {
  if (moment === 'after') yield PIECE
  throw value()
}

function* syncPieces(value: () => unknown, moment: Moment): Generator<Buffer, void> {
  if (moment === 'after') yield PIECE
  throw value()
}

/** A transform that gets one piece and fails with the first, or with its end. */
function transform(moment: Moment, fail: (done: (error?: Error) => void) => void): Transform {
  const stream = new Transform({
    transform(chunk, _encoding, done) {
      if (moment === 'at once') later(() => fail(done))
      else done(null, chunk)
    },
    flush: (done) => later(() => fail(done)),
  })
  stream.end(PIECE)
  return stream
}

/** A stream of before Node 0.10: it pushes by itself. */
function oldStream(value: () => unknown, moment: Moment): Stream {
  const stream = new Stream()
  later(() => {
    if (moment === 'after') stream.emit('data', PIECE)
    later(() => stream.emit('error', value()))
  })
  return stream
}

/** An emitter with a `pipe` of its own. */
function ownPipe(value: () => unknown, moment: Moment): object {
  const pipe = (target: NodeJS.WritableStream): NodeJS.WritableStream => {
    if (moment === 'after') target.write(PIECE)
    throw value()
  }
  return Object.assign(new EventEmitter(), { pipe })
}

/** Streams of Node by what fails. */
export const NODE_SOURCES: Readonly<Record<string, Source>> = {
  'a stream that is destroyed': always((value, moment) =>
    readable(moment, (one) => one.destroy(asError(value()))),
  ),
  'a stream that is destroyed without an error': always((_value, moment) =>
    readable(moment, (one) => one.destroy()),
  ),
  'a stream that emits an error': {
    moments: ['at once', 'after', 'at the end'],
    make: (value, moment) => readable(moment, (one) => one.emit('error', value())),
  },
  'a stream that emits an error, and goes on': {
    moments: ONCE,
    mayPass: true,
    make: (value, moment) =>
      readable(moment, (one) => {
        one.emit('error', value())
        one.push(PIECE)
        one.push(null)
      }),
  },
  'a stream that emits close': within((_value, moment) =>
    readable(moment, (one) => one.emit('close'), { autoDestroy: false, emitClose: false }),
  ),
  'a stream whose read throws': within(
    (value, moment) =>
      new Readable({
        read() {
          if (moment === 'after' && !this.readableDidRead) this.push(PIECE)
          else throw value()
        },
      }),
  ),
  'a stream whose destroy calls back': {
    moments: MOMENTS,
    callsBack: true,
    make: (value, moment) =>
      readable(moment, (one) => one.destroy(), {
        destroy: (_error: unknown, done: (error: unknown) => void) => done(value()),
      }),
  },
  'a stream whose destroy throws': within((value, moment) =>
    Object.assign(
      readable(moment, (one) => one.emit('error', new Error('first'))),
      { destroy: raise(value) },
    ),
  ),
  'a stream that cannot be constructed': {
    moments: ONCE,
    callsBack: true,
    make: (value) => new Readable({ construct: (done) => later(() => done(asError(value()))), read: ignore }),
  },
  'a generator': within((value, moment) => Readable.from(pieces(value, moment))),
  'a synchronous generator': within((value, moment) => Readable.from(syncPieces(value, moment))),
  'a pipeline': {
    moments: BEGINNING,
    isBehind: true,
    make: (value, moment) => {
      const end = new PassThrough()
      pipeline(
        readable(moment, (one) => one.destroy(asError(value()))),
        end,
        ignore,
      )
      return end
    },
  },
  'a transform that calls back': {
    moments: WITHIN,
    isBehind: true,
    callsBack: true,
    make: (value, moment) => transform(moment, (done) => done(asError(value()))),
  },
  'a duplex whose writing fails': {
    moments: WITHIN,
    isBehind: true,
    callsBack: true,
    make: (value, moment) => {
      const stream = new Duplex({
        read() {
          if (moment === 'after' && !this.readableDidRead) this.push(PIECE)
        },
        write: (_chunk, _encoding, done) => later(() => done(asError(value()))),
      })
      stream.write(PIECE)
      return stream
    },
  },
  'an old stream': within(oldStream),
  'a stream with its own pipe': within(ownPipe),
  'a stream whose resume throws': {
    ...once((value) =>
      Object.assign(Readable.from([PIECE], { objectMode: false }), { resume: raise(value) }),
    ),
    mayPass: true,
  },
  'a stream whose on throws': once((value) => Object.assign(Readable.from([PIECE]), { on: raise(value) })),
  'a stream of odd pieces': {
    moments: WITHIN,
    isOfPieces: true,
    mayPass: true,
    make: (value, moment) => {
      const list = moment === 'after' ? [PIECE, value()] : [value()]
      return new Readable({
        objectMode: true,
        read() {
          this.push(list.length === 0 ? null : list.shift())
        },
      })
    },
  },
}

/** A web stream that does something at its moment. */
function web(
  moment: Moment,
  act: (controller: ReadableStreamDefaultController<unknown>) => unknown,
): ReadableStream {
  let pulls = 0
  return new ReadableStream(
    {
      start: (controller) => (moment.endsWith('before') ? void act(controller) : undefined),
      pull(controller) {
        pulls += 1
        if (moment === 'at once') act(controller)
        else if (pulls === 1) controller.enqueue(PIECE)
        else return new Promise((resolve) => later(() => resolve(undefined))).then(() => void act(controller))
        return undefined
      },
    },
    { highWaterMark: 0 },
  )
}

/** What looks like a web stream. */
function fakeWeb(reader: object): object {
  return {
    locked: false,
    getReader: () => ({
      closed: new Promise(ignore),
      releaseLock: ignore,
      cancel: async () => {},
      ...reader,
    }),
    cancel: async () => {},
  }
}

const tagged = (tag: string, members: object): object =>
  Object.defineProperties({ [Symbol.toStringTag]: tag }, Object.getOwnPropertyDescriptors(members))

function aborted(value: () => unknown, moment: Moment): ReadableStream {
  const { readable: end, writable } = new TransformStream()
  const writer = writable.getWriter()
  writer.closed.catch(ignore)
  const written = moment === 'at once' ? Promise.resolve() : writer.write(PIECE)
  written.then(() => later(() => writer.abort(value()).catch(ignore)), ignore)
  return end
}

function uncancelled(value: () => unknown, moment: Moment): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      if (moment === 'at once') throw new Error('first')
      controller.enqueue(PIECE)
      if (moment === 'after') controller.error(value())
      else controller.close()
    },
    cancel: async () => raise(value)(),
  })
}

const failingWeb: Make = (value, moment) => web(moment, (controller) => controller.error(value()))

/** Streams of the web platform, and what has them. */
export const WEB_SOURCES: Readonly<Record<string, Source>> = {
  'a web stream with an error': { moments: BEGINNING, make: failingWeb },
  'a web stream whose pull throws': within((value, moment) => web(moment, raise(value))),
  'a web stream whose start rejects': once(
    (value) => new ReadableStream({ start: async () => raise(value)() }),
  ),
  'a web stream of odd pieces': {
    moments: WITHIN,
    isOfPieces: true,
    mayPass: true,
    make: (value, moment) =>
      web(moment, (controller) => {
        controller.enqueue(value())
        controller.close()
      }),
  },
  'a web stream that is aborted': within(aborted),
  'a web stream whose cancel rejects': { moments: ['at once', 'after', 'at the end'], make: uncancelled },
  'a fake web stream whose read throws': once((value) => fakeWeb({ read: raise(value) })),
  'a fake web stream whose read rejects': once((value) => fakeWeb({ read: async () => raise(value)() })),
  'a fake web stream that reads an odd value': {
    moments: ONCE,
    isOfPieces: true,
    mayPass: true,
    make(value) {
      let isOver = false
      const read = async (): Promise<object> => {
        if (isOver) return { done: true, value: undefined }
        isOver = true
        return { done: false, value: value() }
      }
      return fakeWeb({ read })
    },
  },
  'a fake web stream without readers': once((value) => ({ ...fakeWeb({}), getReader: raise(value) })),
  'a Response whose body fails': {
    moments: BEGINNING,
    make: (value, moment) => new Response(web(moment, (controller) => controller.error(value()))),
  },
  'a fake Response': once((value) =>
    tagged('Response', {
      status: 200,
      bodyUsed: false,
      headers: { [Symbol.iterator]: raise(value) },
      body: null,
    }),
  ),
  'a fake Response that cannot be read': once((value) =>
    Object.defineProperty(tagged('Response', {}), 'bodyUsed', { get: raise(value) }),
  ),
  'a Blob whose stream fails': {
    moments: BEGINNING,
    make: (value, moment) =>
      Object.assign(new Blob(['piece', 'more']), { stream: () => failingWeb(value, moment) }),
  },
  'a Blob without a stream': once((value) => Object.assign(new Blob(['piece']), { stream: raise(value) })),
  'a fake Blob': once((value) =>
    Object.defineProperty(tagged('Blob', { type: '' }), 'size', { get: raise(value) }),
  ),
}
