// What an application hands over: it fails at a time of its own, whoever reads it, and notes when it is closed.
import { PassThrough, pipeline as connect, Readable } from 'node:stream'

/** When it fails, if it does; `open` never ends. */
export const ENDS = [
  'whole',
  'open',
  'fails before',
  'fails soon',
  'fails later',
  'fails when read',
  'fails in between',
  'fails at its end',
] as const

/** One of {@link ENDS}. */
export type End = (typeof ENDS)[number]

/** While hooks of a case wait. */
const LATER_MS = 6

const PIECES = ['first', ' second'] as const
/** The content of a whole source: its pieces, or a line for each of its items. */
export const WHOLES: readonly string[] = [
  PIECES.join(''),
  PIECES.map((piece) => `${JSON.stringify(piece)}\n`).join(''),
]

/** Something that an application has handed over. */
export class Handed {
  readonly name: string
  readonly error: Error
  payload: unknown
  isClosed: () => boolean = () => true
  /** it has failed before it was closed, and the application has not heard of it */
  isUnheard = false

  constructor(name: string) {
    this.name = name
    this.error = new Error(`planned failure of ${name}`)
  }

  /** Notes that it fails. */
  fail(): void {
    const { payload } = this
    const isHeard =
      payload instanceof Readable && (payload.destroyed || payload.listeners('error').includes(hush))
    if (!isHeard && !this.isClosed()) this.isUnheard = true
  }
}

/** Fails at its time, if that does not depend on a reader. */
function failInTime(end: End, fail: () => void): void {
  if (end === 'fails before') fail()
  if (end === 'fails soon') setImmediate(fail)
  if (end === 'fails later') setTimeout(fail, LATER_MS)
}

function stream(handed: Handed, end: End): Readable {
  let reads = 0
  const fail = (): void => {
    if (one.destroyed && end !== 'fails at its end') return
    handed.fail()
    one.destroy(handed.error)
  }
  const one = new Readable({
    autoDestroy: end !== 'fails at its end',
    read() {
      reads += 1
      if (end === 'fails when read') fail()
      else if (reads === 1) this.push(PIECES[0])
      else if (end === 'fails in between') setTimeout(fail, 2)
      else if (end === 'whole' || end === 'fails at its end') {
        this.push(PIECES[1])
        this.push(null)
      }
    },
  })
  if (end === 'fails at its end') one.once('end', fail)
  handed.isClosed = () => one.destroyed
  failInTime(end, fail)
  return one
}

function webStream(handed: Handed, end: End): ReadableStream<Uint8Array> {
  let isOver = false
  let pulls = 0
  handed.isClosed = () => isOver
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const failing = (controller: ReadableStreamDefaultController<Uint8Array>) => (): void => {
    if (isOver) return
    handed.fail()
    isOver = true
    controller.error(handed.error)
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => failInTime(end, failing(controller)),
      async pull(controller) {
        pulls += 1
        if (isOver) return
        if (end === 'fails when read') failing(controller)()
        else if (pulls === 1) controller.enqueue(bytes(PIECES[0]))
        else if (end === 'whole' || end === 'fails at its end') {
          isOver = true
          controller.enqueue(bytes(PIECES[1]))
          controller.close()
        } else {
          if (end === 'fails in between') setTimeout(failing(controller), 2)
          await new Promise(() => {})
        }
      },
      cancel: () => void (isOver = true),
    },
    { highWaterMark: 0 },
  )
}

async function* pieces(handed: Handed, end: End): AsyncGenerator<string, void> {
  const fail = (): never => {
    handed.fail()
    throw handed.error
  }
  let isOver = false
  handed.isClosed = () => isOver
  try {
    if (end.startsWith('fails') && end !== 'fails in between' && end !== 'fails at its end') fail()
    yield PIECES[0]
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (end === 'fails in between') fail()
    while (end === 'open') {
      await new Promise((resolve) => setTimeout(resolve, 5))
      yield ''
    }
    yield PIECES[1]
    if (end === 'fails at its end') fail()
  } finally {
    isOver = true
  }
}

function pipeline(handed: Handed, end: End): PassThrough {
  const whole = new PassThrough()
  connect(stream(handed, end), whole, () => void (handed.isUnheard = false))
  return whole
}

function piped(handed: Handed, end: End): PassThrough {
  const whole = new PassThrough()
  stream(handed, end)
    .on('error', (error) => whole.destroy(error))
    .pipe(whole)
  handed.isClosed = () => whole.destroyed
  return whole
}

const NODE = {
  'a stream': stream,
  'a pipeline': pipeline,
  'a piped stream': piped,
  'a generator': (handed: Handed, end: End) => Readable.from(pieces(handed, end), { objectMode: false }),
} as const
const ALL = {
  ...NODE,
  'a web stream': webStream,
  'a Response': (handed: Handed, end: End) =>
    new Response(webStream(handed, end), { headers: { 'content-type': 'text/plain' } }),
  items: pieces,
  'a Blob': (handed: Handed, end: End) =>
    Object.assign(new Blob([...PIECES]), { stream: () => webStream(handed, end) }),
} as const satisfies Record<string, (handed: Handed, end: End) => unknown>

/** A kind of what can be handed over. */
export type Kind = keyof typeof ALL

/** The kinds. */
export const KINDS: readonly Kind[] = ['a web stream', 'a Response', 'items', 'a Blob', ...namesOf(NODE)]
/** Those that can be the body of a request. */
export const NODE_KINDS: readonly Kind[] = namesOf(NODE)

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table).filter((one): one is Name => one in table)
}

/** The listener of an application. */
const hush = (): void => {}

/** Hands something over. */
export function handOver(name: string, kind: Kind, end: End): Handed {
  const handed = new Handed(name)
  // A promise hands it over after the callbacks of `nextTick`, in which it may fail already.
  setImmediate(() => void (payload instanceof Readable && payload.off('error', hush)))
  const payload = ALL[kind](handed, end)
  if (payload instanceof Readable) {
    payload.on('error', hush)
    handed.isUnheard = false
  }
  handed.payload = payload
  return handed
}
