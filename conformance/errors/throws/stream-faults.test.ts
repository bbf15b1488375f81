// Faults injected into every stream that an application hands over, at every moment of its life: the request ends, no
// response looks whole that is not, and the process has no unhandled rejection and no error without a listener.
import type { App } from '../../harness/app-shape.ts'
import { createLogSink } from '../../harness/log-lines.ts'
import { openSocket } from '../../harness/raw-socket.ts'
import { isPeer } from '../../harness/subject.ts'
import { describeTransports } from '../../harness/transports.ts'
import type { Suite } from '../../harness/transports.ts'
import { makeOdd, ODD_VALUES } from './odd-values.ts'
import type { Done } from './place.ts'
import { outcomeOf, Unhandled } from './row.ts'
import { ROWS_MS, rowsOf, Tally, valuesOf } from './sample.ts'
import { NODE_SOURCES, WEB_SOURCES } from './stream-sources.ts'
import type { Moment, Source } from './stream-sources.ts'

const SOURCES = { ...NODE_SOURCES, ...WEB_SOURCES }

const tally = new Tally('faults in streams')
const unhandled = new Unhandled()

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** These are no errors for what calls back. */
const FALSY = ['undefined', 'null', 'an empty text', 'zero', 'not a number', 'false']
/** As pieces they are awaited, and never settle. */
const ENDLESS = ['an object with then', 'an endless Proxy']
const PROMISE = 'a promise that rejects'

/** Whether Node can read the stack of a value. */
function hasStack(valueName: string): boolean {
  if (valueName === PROMISE) return false
  try {
    Reflect.get(Object(makeOdd(valueName)), 'stack')
    return true
  } catch {
    return false
  }
}

/** Whether a source can fail with a value, and we can do something about it. */
function applies({ callsBack, isBehind, isOfPieces }: Source, moment: Moment, valueName: string): boolean {
  if (callsBack === true && FALSY.includes(valueName)) return false
  if (isBehind === true && !hasStack(valueName)) return false
  if (isOfPieces === true && [...ENDLESS, PROMISE].includes(valueName)) return false
  // Nobody could handle it in time.
  return !(moment === 'long before' && valueName === PROMISE)
}

/** An app whose responses, or bodies, are a stream that fails. */
class FailingApp {
  readonly app: App
  value: () => unknown = () => undefined
  moment: Moment = 'before'
  readonly #source: Source
  readonly #send: Suite['send']
  readonly #log = createLogSink()

  constructor({ createApp, send }: Suite, source: Source) {
    this.#source = source
    this.#send = send
    this.app = createApp({ logger: { stream: this.#log.stream } })
    this.app.get('/', async (_request, reply) => reply.type('text/plain').send((await this.#create()).made))
    const preParsing = (_request: unknown, _reply: unknown, _payload: unknown, done: Done): void =>
      void this.#create().then(({ made }) => done(null, made), done)
    this.app.post('/', { preParsing }, () => 'reached')
  }

  /** A promise of the source itself would wait for one that has a `then`. */
  async #create(): Promise<{ made: unknown }> {
    const made = this.#source.make(this.value, this.moment)
    if (this.moment === 'long before') for (let turns = 0; turns < 3; turns++) await turn()
    return { made }
  }

  /** Sends a request; returns what went wrong. */
  async run(use: Use): Promise<string[]> {
    this.#log.lines.length = 0
    const outcome = await outcomeOf(this.#ask(use))
    const found = (await unhandled.take()).map((detail) => `unhandled: ${detail}`)
    if (outcome === 'hang') return [...found, 'hang']
    if (use === 'leaves' || this.#source.mayPass === true || this.moment === 'at the end') return found
    const status = Number(Object(outcome).status)
    if (status < 400) found.push(`passed: ${status}`)
    const isLogged = this.#log.lines.some(
      ({ err, level, msg }) =>
        err !== undefined || Number(level) >= 40 || msg === 'stream closed prematurely',
    )
    return isLogged ? found : [...found, 'unlogged']
  }

  async #ask(use: Use): Promise<unknown> {
    if (use === 'body') return this.#send(this.app, { method: 'POST', path: '/', body: {} })
    if (use === 'response') return this.#send(this.app, { path: '/' })
    const socket = await openSocket(this.app)
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await pause(3)
    socket.destroy()
    await pause(3)
    return undefined
  }
}

/** The stream is a response, the body of a request, or a response whose client goes away. */
type Use = 'response' | 'body' | 'leaves'

function usesOf(name: string, { transport }: Suite): Use[] {
  const uses: Use[] = ['response']
  if (name in NODE_SOURCES) uses.push('body')
  if (transport === 'socket' || transport === 'wire') uses.push('leaves')
  return uses
}

describeTransports(
  'errors: faults in streams',
  (suite) => {
    const { it, expect, transport } = suite
    if (isPeer) return
    for (const [name, source] of Object.entries(SOURCES)) {
      it(
        `ends a request with ${name}`,
        async () => {
          const findings: string[] = []
          const failing = new FailingApp(suite, source)
          for (const moment of rowsOf(source.moments, `${name} ${transport}`)) {
            failing.moment = moment
            const values = Object.keys(ODD_VALUES).filter((value) => applies(source, moment, value))
            for (const value of valuesOf(values, transport, `${name} ${moment} ${transport}`)) {
              failing.value = () => makeOdd(value)
              for (const use of usesOf(name, suite)) {
                const found = await failing.run(use)
                tally.add(found.map((fault) => fault.replace(/:.*/s, '')))
                for (const fault of found) findings.push(`${name} ${moment} with ${value} (${use}): ${fault}`)
              }
            }
          }
          await failing.app.close()
          expect(findings).toEqual([])
        },
        ROWS_MS,
      )
    }
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
