import { objectOf } from '../diff/json.ts'
import { framesHere } from '../exchanges/call-site.ts'
import type { DrawnRoute } from '../exchanges/exchange.ts'
import { Samples } from '../exchanges/sample-values.ts'
import { isFunction } from './app-form.ts'

type AnyFunction = (...args: unknown[]) => unknown

/** An app of this process: its routes, with stand-ins for the handlers that must not run. */
export class SeenApp {
  readonly #app: object
  readonly #methods: ReadonlySet<string>
  readonly routes: DrawnRoute[] = []
  /** How often a stand-in has run. */
  standIns = 0

  constructor(app: object, methods: readonly string[]) {
    this.#app = app
    this.#methods = new Set(methods)
    this.call('addHook', 'onRoute', (route: unknown) => {
      if (typeof route === 'object' && route !== null) this.#addRoute(route)
    })
    // A file that listens itself gets a ready app without a port.
    Reflect.set(app, 'listen', async (...args: unknown[]) => {
      await this.ready()
      const callback = args.at(-1)
      if (isFunction(callback)) callback(null, 'http://127.0.0.1:0')
      return 'http://127.0.0.1:0'
    })
  }

  async ready(): Promise<void> {
    await this.call('ready')
  }

  /** Sends requests over `fetch`. */
  readonly fetch = (request: Request): unknown => this.call('fetch', request)

  getSchema(id: string): unknown {
    return this.call('getSchema', id)
  }

  call(name: string, ...args: unknown[]): unknown {
    const found: unknown = Reflect.get(this.#app, name)
    return isFunction(found) ? found.apply(this.#app, args) : undefined
  }

  #addRoute(route: object): void {
    const { method, url, schema } = objectOf(route)
    const methods = [method].flat().map(String)
    const [callSite = ''] = framesHere()
    // A copy, because frameworks complete the schema later.
    const copy = copyOf(schema)
    for (const one of methods) this.routes.push({ method: one, url: String(url), schema: copy, callSite })
    if (methods.some((one) => !this.#methods.has(one))) Reflect.set(route, 'handler', this.#standIn(copy))
  }

  /** Responds with a value that fits the response schema of the route, and does nothing else. */
  #standIn(schema: Readonly<Record<string, unknown>>): AnyFunction {
    const responses = objectOf(schema['response'])
    const status = Object.keys(responses).find((one) => /^2(?:\d\d|xx)$/i.test(one)) ?? '200'
    return (_request, reply) => {
      this.standIns += 1
      const samples = new Samples((id) => this.getSchema(id))
      const payload = responses[status] === undefined ? {} : samples.valid(responses[status])
      const code: unknown = Reflect.get(Object(reply), 'code')
      if (isFunction(code)) code.call(reply, Number(status.replaceAll(/x/gi, '0')))
      return payload ?? {}
    }
  }
}

/** Returns a copy as JSON; empty if it cannot be serialized. */
function copyOf(value: unknown): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(JSON.stringify(value ?? {})))
  } catch {
    return {}
  }
}
