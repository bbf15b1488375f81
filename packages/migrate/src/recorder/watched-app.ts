import {
  drawnRoutesOf,
  drawRequests,
  framesHere,
  isFunction,
  jsonCopy,
  objectOf,
  readResponse,
} from '@cloister/cli/internal'
import type {
  AnyFunction,
  DrawnRequest,
  DrawnRoute,
  Exchange,
  SeenResponse,
  SentRequest,
} from '@cloister/cli/internal'

// Tests may replace the timers of the process.
const { setTimeout: later, clearTimeout: cancel } = globalThis
const MAX_DRAWN = 2000
/** Timeouts in milliseconds: for one drawn request, and for all of an app. */
const PATIENCE = { one: 3000, all: 20_000 } as const

export interface Watch {
  /** Methods of the requests to draw; empty to draw none. */
  readonly draw: ReadonlySet<string>
  readonly write: (line: object) => void
}

/** An app of either framework. Records its `inject`, and sends drawn requests before it closes. */
export class WatchedApp {
  readonly #app: object
  readonly #watch: Watch
  readonly #created = framesHere().join(' < ')
  readonly #inject: AnyFunction
  readonly #routes: DrawnRoute[] = []
  #isReady = false
  #isDrawn = false
  /** The credentials that the tests have sent. */
  #credentials: Readonly<Record<string, string>> = {}

  constructor(app: object, watch: Watch) {
    this.#app = app
    this.#watch = watch
    this.#inject = methodOf(app, 'inject')
  }

  watch(): void {
    const close = methodOf(this.#app, 'close')
    const addHook = methodOf(this.#app, 'addHook')
    Reflect.set(this.#app, 'inject', (...args: unknown[]) => this.#record(args))
    Reflect.set(this.#app, 'close', (...args: unknown[]) =>
      this.#isReady && !this.#isDrawn && this.#watch.draw.has('GET')
        ? this.sendDrawn().then(() => close(...args))
        : close(...args),
    )
    addHook('onRoute', (route: unknown) => void this.#routes.push(...drawnRoutesOf(objectOf(route))))
    addHook('onReady', (done: AnyFunction) => {
      this.#isReady = true
      done()
    })
  }

  async sendDrawn(): Promise<void> {
    this.#isDrawn = true
    const getSchema = methodOf(this.#app, 'getSchema')
    const routes = this.#routes.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
    const drawn = drawRequests(routes, this.#watch.draw, (id) => getSchema(id))
    const ends = Date.now() + PATIENCE.all
    for (const request of drawn.slice(0, MAX_DRAWN)) {
      if (Date.now() > ends) break
      await this.#sendOne(request)
    }
  }

  async #sendOne({ route, odd, ...given }: DrawnRequest): Promise<void> {
    const sent = { ...given, headers: { ...this.#credentials, ...given.headers } }
    const response = await this.#send(sent)
    this.#watch.write({
      kind: 'drawn',
      key: `${this.#created} ${given.method} ${given.url} ${odd} ${given.body ?? ''}`,
      request: given,
      response,
      route: nameOf(route),
      callSite: route.callSite,
    } satisfies Exchange)
  }

  async #send({ body, ...request }: SentRequest): Promise<SeenResponse | null> {
    const pending = Promise.resolve(this.#inject({ ...request, ...(body === null ? {} : { payload: body }) }))
    return new Promise((resolve) => {
      const timer = later(() => resolve(null), PATIENCE.one)
      pending.then(
        (response) => {
          cancel(timer)
          resolve(readResponse(response))
        },
        () => {
          cancel(timer)
          resolve(null)
        },
      )
    })
  }

  #record(args: unknown[]): unknown {
    const request = requestOf(args[0])
    const [callSite = '', ...outer] = framesHere()
    const key = `${[callSite, ...outer].join(' < ')} ${request.method} ${request.url}`
    const note = (response: unknown): void => {
      const seenResponse = response === undefined ? null : readResponse(response)
      if (seenResponse !== null && seenResponse.status < 300) this.#credentials = credentialsOf(request)
      this.#watch.write({
        kind: 'recorded',
        key,
        request,
        response: seenResponse,
        callSite,
      } satisfies Exchange)
    }
    const last = args.at(-1)
    if (isFunction(last)) {
      const callback = (error: unknown, response: unknown): unknown => {
        note(response)
        return last(error, response)
      }
      return this.#inject(...args.slice(0, -1), callback)
    }
    return noteResult(this.#inject(...args), note)
  }
}

/** Records the response when a chain or promise is awaited: a chain sends its request only then. */
function noteResult(result: unknown, note: (response: unknown) => void): unknown {
  if (typeof result !== 'object' || result === null) return result
  const then = methodOf(result, 'then')
  const value = (fulfilled: unknown, rejected: unknown): unknown =>
    then((response: unknown) => {
      note(response)
      return isFunction(fulfilled) ? fulfilled(response) : response
    }, rejected)
  Object.defineProperty(result, 'then', { value, configurable: true, writable: true })
  return result
}

function requestOf(given: unknown): SentRequest {
  if (typeof given === 'string') return { method: 'GET', url: given, headers: {}, body: null }
  const { method = 'GET', url, path, query, headers, payload, body = payload } = objectOf(given)
  const target = typeof url === 'object' ? JSON.stringify(url) : String(url ?? path ?? '/')
  return {
    method: String(method).toUpperCase(),
    url: query === undefined ? target : `${target} ${JSON.stringify(query)}`,
    headers: Object.fromEntries(
      Object.entries(objectOf(headers)).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    body:
      body === undefined || body === null
        ? null
        : typeof body === 'string'
          ? body
          : (JSON.stringify(jsonCopy(body)) ?? null),
  }
}

const CREDENTIALS = /^(?:authorization|cookie|x-api-key|api-key|x-access-token)$/

function credentialsOf({ headers }: SentRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => CREDENTIALS.test(name)))
}

function nameOf({ method, url }: DrawnRoute): string {
  return `${method} ${url}`
}

function methodOf(target: object, name: string): AnyFunction {
  const found: unknown = Reflect.get(target, name)
  return isFunction(found) ? found.bind(target) : () => undefined
}
