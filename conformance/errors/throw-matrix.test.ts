// Every callback of a request, with everything that it can throw, reject with or return by mistake: an answer arrives,
// the process lives, and no handler runs behind a hook that failed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { sendInject, sendSocket } from '../harness/send.ts'
import { isPeer } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'
import { CALLBACKS } from './throw-callbacks.ts'
import type { AnyFunction, Place } from './throw-callbacks.ts'
import { ODD_VALUES } from './odd-values.ts'

/** How a callback fails: at once, with its promise, or through `done`. */
const WAYS: Readonly<Record<string, (value: () => unknown, place: Place) => AnyFunction | null>> = {
  throws: (value) => () => {
    throw value()
  },
  rejects: (value) => async () => {
    throw value()
  },
  'calls back with': (value, { done }) => done?.(value) ?? null,
}

/** With these `done` says that all is well. */
const NO_ERRORS = new Set(['undefined', 'null'])

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

beforeAll(() => {
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})

afterAll(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
})

/** The app that a row fails in: one for all values, which change between the requests. */
class Row {
  value: () => unknown = () => undefined
  handled = false
  readonly #app: App
  readonly #place: Place
  readonly #send: typeof sendInject

  constructor(createApp: () => App, place: Place, failing: AnyFunction, send: typeof sendInject) {
    this.#app = createApp()
    this.#place = place
    this.#send = send
    place.define(this.#app, failing, () => {
      this.handled = true
      return { reached: true }
    })
  }

  /** The status of the answer; a connection that is cut is an error. */
  async ask(): Promise<number> {
    this.handled = false
    const { request = { method: 'POST', path: '/', body: {} }, bytesBefore } = this.#place
    if (bytesBefore !== undefined) await rawSocket(this.#app, bytesBefore)
    return (await this.#send(this.#app, request)).status
  }

  close(): Promise<void> {
    return this.#app.close()
  }
}

function describeMatrix(
  name: string,
  send: typeof sendInject,
  options: Record<string, unknown>,
  valueNames: readonly string[],
): void {
  describe.skipIf(isPeer)(`errors: the throw matrix (${name})`, () => {
    const createApp = useApps()

    for (const [callback, place] of Object.entries(CALLBACKS)) {
      for (const [way, make] of Object.entries(WAYS)) {
        if (make(() => undefined, place) === null) continue
        if (place.isSync === true && way === 'rejects') continue
        if (place.bytesBefore !== undefined && send !== sendSocket) continue
        it(`answers when ${callback} ${way} anything`, async () => {
          const names = valueNames.filter(
            (value) =>
              place.except?.includes(value) !== true && !(way === 'calls back with' && NO_ERRORS.has(value)),
          )
          const failing = make(() => row.value(), place) ?? expect.unreachable('the row has no such way')
          const create = (): App => createApp({ ...options, ...place.options?.(failing) })
          const row = new Row(create, place, failing, send)
          const expected = place.survives === true ? 200 : 400
          for (const valueName of names) {
            row.value = ODD_VALUES[valueName] ?? expect.unreachable(valueName)
            const status = await row.ask().catch((error: unknown) => String(error))
            expect([valueName, status, Number(status) >= expected]).toEqual([valueName, status, true])
            if (place.isBefore === true) expect([valueName, row.handled]).toEqual([valueName, false])
          }
          await row.close()
          // Rejections are reported when the turn has ended.
          await new Promise((resolve) => setImmediate(resolve))
          expect(unhandled.splice(0)).toEqual([])
        })
      }
    }
  })
}

const silent = { write: (): void => {} }

describeMatrix('in-process', sendInject, {}, Object.keys(ODD_VALUES))
describeMatrix('in-process, with a log', sendInject, { logger: { stream: silent } }, Object.keys(ODD_VALUES))
describeMatrix('socket', sendSocket, { logger: { stream: silent }, exposeErrors: false }, [
  'undefined',
  'a text',
  'a plain object with a status',
  'a revoked Proxy',
  'an Error',
])
