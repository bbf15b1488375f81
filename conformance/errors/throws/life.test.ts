// Every callback of the life of an app, with everything that it can throw or reject with: the boot and the end of the app
// settle, and the process has no unhandled rejection and no uncaught exception.
import { describe, expect, it } from 'vitest'
import type { App } from '../../harness/app-shape.ts'
import { isPeer } from '../../harness/subject.ts'
import { useApps } from '../../harness/transports.ts'
import { makeOdd, ODD_VALUES } from './odd-values.ts'
import { applies, WAYS } from './place.ts'
import type { AnyFunction, Done, Place } from './place.ts'
import { outcomeOf, Unhandled } from './row.ts'
import { ROWS_MS, rowsOf, Tally, valuesOf } from './sample.ts'

const tally = new Tally('throws at boot and close')
const unhandled = new Unhandled()

const first =
  (run: (done: Done) => unknown): AnyFunction =>
  (done) =>
    run(done as Done)
const second =
  (run: (done: Done) => unknown): AnyFunction =>
  (_instance, done) =>
    run(done as Done)
const third =
  (run: (done: Done) => unknown): AnyFunction =>
  (_instance, _options, done) =>
    run(done as Done)

const call = (app: App, name: string, ...args: readonly unknown[]): void =>
  void Reflect.apply(Object(Reflect.get(app, name)), app, args)

const hook =
  (name: string) =>
  (app: App, failing: AnyFunction): void =>
    call(app, 'addHook', name, failing)

/** Where the life of an app can fail. */
const PLACES: Readonly<Record<string, Place>> = {
  'a plugin': { define: (app, failing) => call(app, 'register', failing), withDone: third },
  'a plugin within': {
    define: (app, failing) => void app.register(async (child) => call(child, 'register', failing)),
    withDone: third,
  },
  'a callback of after': { define: (app, failing) => call(app, 'after', failing), isGetter: true },
  'a callback of ready, in a plugin': {
    define: (app, failing) => void app.register(async (child) => call(child, 'ready', failing)),
  },
  onRoute: {
    define: (app, failing) => {
      call(app, 'addHook', 'onRoute', failing)
      app.register(async (child) => void child.get('/', () => 'reached'))
    },
    isGetter: true,
  },
  onRegister: {
    define: (app, failing) => {
      call(app, 'addHook', 'onRegister', failing)
      app.register(async () => {})
    },
    isGetter: true,
  },
  onReady: { define: hook('onReady'), withDone: first },
  onListen: { define: hook('onListen'), withDone: first },
  preClose: { define: hook('preClose'), withDone: first },
  onClose: { define: hook('onClose'), withDone: second },
  'a validator compiler': {
    define: (app, validatorCompiler) =>
      call(app, 'post', '/', { schema: { body: {} }, validatorCompiler }, () => 'reached'),
    isGetter: true,
  },
  'a serializer compiler': {
    define: (app, serializerCompiler) =>
      call(app, 'get', '/', { schema: { response: { 200: {} } }, serializerCompiler }, () => 'reached'),
    isGetter: true,
  },
  'a getter of a schema': {
    define: (app, get) =>
      call(
        app,
        'post',
        '/',
        { schema: { body: Object.defineProperty({}, 'type', { get, enumerable: true }) } },
        () => 1,
      ),
    isGetter: true,
  },
}

describe.skipIf(isPeer)('errors: throws in the life of an app', () => {
  const createApp = useApps()

  async function live(place: Place, failing: AnyFunction): Promise<string[]> {
    const app = createApp()
    try {
      place.define(app, failing, () => 'reached')
    } catch {
      // The caller gets it.
    }
    const booted = await outcomeOf(app.listen({ port: 0, host: '127.0.0.1' }))
    const closed = await outcomeOf(app.close())
    const found = (await unhandled.take()).map((detail) => `unhandled: ${detail}`)
    if (booted === 'hang') found.push('hang: boot')
    return closed === 'hang' ? [...found, 'hang: close'] : found
  }

  for (const [name, place] of Object.entries(PLACES)) {
    it(
      `settles where ${name} fails`,
      async () => {
        const findings: string[] = []
        const ways = Object.entries(WAYS).filter(
          ([, way]) => way.isReturn !== true && way.make(() => undefined, place) !== null,
        )
        for (const [wayName, way] of rowsOf(ways, name)) {
          const values = Object.keys(ODD_VALUES).filter((value) => applies(way, place, value))
          for (const value of valuesOf(values, 'in-process', `${name} ${wayName}`)) {
            const found = await live(place, way.make(() => makeOdd(value), place) ?? (() => undefined))
            tally.add(found.map((fault) => fault.replace(/:.*/s, '')))
            for (const fault of found) findings.push(`${name} ${wayName} ${value}: ${fault}`)
          }
        }
        expect(findings).toEqual([])
      },
      ROWS_MS,
    )
  }
})
