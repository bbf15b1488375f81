// Every callback of a request, with everything that it can throw, reject with or return by mistake: an answer arrives,
// the process lives, and no handler runs behind a hook that failed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
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
        const probe = make(() => undefined, place)
        if (probe === null) continue
        it(`answers when ${callback} ${way} anything`, async () => {
          for (const valueName of valueNames) {
            if (place.except?.includes(valueName) === true) continue
            if (way === 'calls back with' && NO_ERRORS.has(valueName)) continue
            const failing = make(ODD_VALUES[valueName] ?? (() => undefined), place)
            if (failing === null) continue
            let handled = false
            const app: App = createApp({ ...options, ...place.options?.(failing) })
            place.define(app, failing, () => {
              handled = true
              return { reached: true }
            })
            const request = place.request ?? { method: 'POST', path: '/', body: {} }
            const answer = await send(app, request).catch(() => null)
            const expected = place.survives === true ? 100 : 400
            if (answer !== null) expect([valueName, answer.status >= expected]).toEqual([valueName, true])
            if (place.isBefore === true) expect([valueName, handled]).toEqual([valueName, false])
            await app.close()
          }
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
