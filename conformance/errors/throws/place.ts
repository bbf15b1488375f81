// A place where an application's function can fail, and the ways in which it can.
import type { App } from '../../harness/app-shape.ts'
import type { SendRequest } from '../../harness/send.ts'
import type { TransportName } from '../../harness/transports.ts'

/** A callback as the matrix makes it. */
export type AnyFunction = (...args: unknown[]) => unknown

/** Calls back. */
export type Done = (...args: unknown[]) => void

/** A place where a callback can fail. */
export interface Place {
  /** puts the callback in place and defines the route */
  readonly define: (app: App, failing: AnyFunction, handler: () => unknown) => void
  /** options of the app that hold the callback */
  readonly options?: (failing: AnyFunction) => Record<string, unknown>
  /** the form with `done` as last argument, where there is one */
  readonly withDone?: (run: (done: Done) => unknown) => AnyFunction
  /** the request, where POST with a JSON object is not it */
  readonly request?: SendRequest
  /** bytes that are sent before the request, over a connection of their own */
  readonly bytesBefore?: string
  /** who ends the connection before there is a response; the client goes away once its request has reached the handler */
  readonly abandonedBy?: 'the client' | 'the app'
  /** where it can happen, if not everywhere */
  readonly only?: readonly TransportName[]
  /** the handler must not run when it fails */
  readonly isBefore?: boolean
  /** the response is as if it had not failed */
  readonly survives?: boolean
  /** what it fails with may be a response, too */
  readonly mayPass?: boolean
  /** it responds itself: after a return without a value its request waits, as documented */
  readonly responds?: boolean
  /** the application itself gets what it returns */
  readonly isGetter?: boolean
  /** it responds with the raw objects, so that a request waits whatever it returns */
  readonly isRaw?: boolean
  /** no line of the log can be expected */
  readonly isUnlogged?: boolean
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** How a callback fails. */
export interface Way {
  /** @returns `null` where a place has no such way */
  readonly make: (value: () => unknown, place: Place) => AnyFunction | null
  /** it returns by mistake, which need not fail */
  readonly isReturn?: boolean
  /** all is well with `undefined` and `null` */
  readonly isCallback?: boolean
  /** it takes the value several times */
  readonly isRepeated?: boolean
  /** it had succeeded before */
  readonly isLate?: boolean
}

const failing = (make: (value: () => unknown) => AnyFunction): Way => ({
  make: (value, { isGetter }) => (isGetter === true ? null : make(value)),
})

const thenable = (then: (fulfil: Done, reject: Done) => void): object => ({ then })

/** The ways by name. */
export const WAYS: Readonly<Record<string, Way>> = {
  throws: {
    make: (value) => () => {
      throw value()
    },
  },
  rejects: failing((value) => async () => {
    throw value()
  }),
  'rejects later': failing((value) => async () => {
    await turn()
    throw value()
  }),
  'returns a thenable that rejects with': failing(
    (value) => () => thenable((_fulfil, reject) => reject(value())),
  ),
  'returns a thenable that throws': failing(
    (value) => () =>
      thenable(() => {
        throw value()
      }),
  ),
  'returns what throws when then is read:': failing(
    (value) => () =>
      Object.defineProperty({}, 'then', {
        get() {
          throw value()
        },
      }),
  ),
  'calls back with': {
    make: (value, { withDone }) => withDone?.((done) => done(value())) ?? null,
    isCallback: true,
  },
  'calls back later with': {
    make: (value, { withDone }) => withDone?.((done) => void setImmediate(() => done(value()))) ?? null,
    isCallback: true,
  },
  'calls back and throws': {
    make: (value, { withDone }) =>
      withDone?.((done) => {
        done()
        throw value()
      }) ?? null,
    isLate: true,
  },
  'calls back and rejects with': {
    make: (value, { withDone }) =>
      withDone?.(async (done) => {
        done()
        await turn()
        throw value()
      }) ?? null,
    isLate: true,
  },
  'calls back twice, with': {
    make: (value, { withDone }) =>
      withDone?.((done) => {
        done()
        done(value())
      }) ?? null,
    isCallback: true,
    isLate: true,
  },
  returns: { ...failing((value) => () => value()), isReturn: true },
  'resolves to': { ...failing((value) => async () => value()), isReturn: true },
  'returns a thenable that settles twice, with': {
    ...failing(
      (value) => () =>
        thenable((fulfil, reject) => {
          fulfil(value())
          fulfil(value())
          reject(value())
          throw value()
        }),
    ),
    isReturn: true,
    isRepeated: true,
  },
}

/** These never settle when they are awaited. */
const ENDLESS = ['an object with then', 'an endless Proxy']

/** Whether a value is a failure there, or waits for ever as documented. */
export function applies(way: Way, place: Place, valueName: string): boolean {
  if (way.isCallback === true && (valueName === 'undefined' || valueName === 'null')) return false
  if (way.isReturn !== true) return true
  // Of several promises all but the first get lost.
  if (way.isRepeated === true && valueName === 'a promise that rejects') return false
  if (place.isRaw === true || ENDLESS.includes(valueName)) return false
  return !(place.responds === true && valueName === 'undefined')
}
