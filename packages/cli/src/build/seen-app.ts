import { once } from 'node:events'
import { Server } from 'node:net'

import { objectOf } from '../diff/json.ts'
import type { DrawnRoute } from '../exchanges/exchange.ts'
import { Samples } from '../exchanges/sample-values.ts'
import { callMethod, drawnRoutesOf, isFunction, readyInsteadOfListening } from '../exchanges/watch-app.ts'
import type { AnyFunction } from '../exchanges/watch-app.ts'

const WEBSOCKETS = '@cloister/websocket'

/** An app of this process: its routes, with stand-ins for the handlers that must not run. */
export class SeenApp {
  readonly #app: object
  readonly #methods: ReadonlySet<string>
  readonly routes: DrawnRoute[] = []
  /** How often a stand-in has run. */
  standIns = 0
  isReady = false
  /** Whether a route takes upgrades where WebSockets are registered. */
  takesSockets = false

  constructor(app: object, methods: readonly string[]) {
    this.#app = app
    this.#methods = new Set(methods)
    const add = (instance: object, route: object): void => this.#addRoute(instance, route)
    this.call('addHook', 'onRoute', function (this: object, route: unknown) {
      if (typeof route === 'object' && route !== null) add(this, route)
    })
    this.call('addHook', 'onReady', async () => {
      this.isReady = true
    })
    readyInsteadOfListening(app)
  }

  /** Whether this is the app. */
  is(app: unknown): boolean {
    return app === this.#app
  }

  async ready(): Promise<void> {
    await this.call('ready')
  }

  /** Opens a free port of this machine without `onListen` hooks, and returns its address; `null` without a server. */
  async open(): Promise<string | null> {
    const server: unknown = Reflect.get(this.#app, 'server')
    if (!(server instanceof Server)) return null
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : null
  }

  /** Sends requests over `fetch`. */
  readonly fetch = (request: Request): unknown => this.call('fetch', request)

  getSchema(id: string): unknown {
    return this.call('getSchema', id)
  }

  call(name: string, ...args: unknown[]): unknown {
    return callMethod(this.#app, name, ...args)
  }

  #addRoute(instance: object, route: object): void {
    const added = drawnRoutesOf(objectOf(route))
    this.routes.push(...added)
    this.takesSockets ||=
      Reflect.get(route, 'upgrade') !== undefined && callMethod(instance, 'hasPlugin', WEBSOCKETS) === true
    const isReplaced = added.some(({ method }) => !this.#methods.has(method))
    if (isReplaced) Reflect.set(route, 'handler', this.#standIn(added[0]?.schema ?? {}))
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
