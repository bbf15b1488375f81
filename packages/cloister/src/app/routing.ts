import { assertOpen } from '../boot/seal.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName } from '../functions.ts'
import { Place } from '../place.ts'
import { defineRoute } from '../routes/define-route.ts'
import { COMMON_METHODS } from '../routes/methods.ts'
import { printRoutes } from '../routes/print-routes.ts'
import { kApp, kContext } from '../symbols.ts'
import { ContentRegistration } from './content.ts'

/** What an app lets plugins say about routes. The shortcuts (`get`, `post`, …) are made below, from a table. */
export class Routing extends ContentRegistration {
  route(options: unknown): this {
    return defineIn(this, options, new Place(this.route))
  }

  all(path: unknown, options: unknown, handler?: unknown): this {
    const place = new Place(this.all)
    const method = [...this[kApp].methods.names]
    return defineIn(this, shortcutOptions(method, path, options, handler), place)
  }

  /** Adds a method that Node's HTTP parser knows; the app gets a shortcut for it. */
  addHttpMethod(method: string, options: Readonly<Record<string, unknown>> = {}): this {
    this[kApp].methods.add(method, options['hasBody'] === true, options['overrideExisting'] === true)
    defineShortcut(this[kContext].instance, method.toUpperCase())
    return this
  }

  get supportedMethods(): string[] {
    return [...this[kApp].methods.names]
  }

  /**
   * Whether a route is defined with this path as it is written there, or answers this path. A route that ends in a
   * wildcard answers whatever has no route of its own, so it counts for its own path alone.
   */
  hasRoute(options: unknown): boolean {
    const { method, url, constraints } = readQuery(options)
    const { routes } = this[kApp]
    if (routes.lookup(method, url, constraints) !== null) return true
    const match = routes.match(method, url, constraints)
    return match !== null && !match.record.url.endsWith('*')
  }

  /** The route that a path reaches, or that is defined with it. */
  findRoute(options: unknown): { handler: unknown; params: unknown; searchParams: unknown } | null {
    const { method, url, constraints } = readQuery(options)
    const app = this[kApp]
    const match = app.routes.match(method, url, constraints)
    const record = match?.record ?? app.routes.lookup(method, url, constraints)
    if (record === null) return null
    const searchParams = app.parseQuery(match?.queryText ?? '')
    return { handler: record.handler, params: match?.params ?? {}, searchParams }
  }

  getDefaultRoute(): unknown {
    return this[kApp].defaultRoute ?? undefined
  }

  setDefaultRoute(route: unknown): void {
    if (!isFunction(route)) throw createError('DEFAULT_ROUTE_INVALID_TYPE', { type: typeName(route) })
    assertOpen(this[kApp], 'set the default route')
    this[kApp].defaultRoute = route
  }

  addConstraintStrategy(strategy: Record<string, unknown>): this {
    assertOpen(this[kApp], 'add a constraint strategy')
    this[kApp].routes.addConstraintStrategy(strategy)
    return this
  }

  hasConstraintStrategy(name: string): boolean {
    return this[kApp].routes.hasConstraintStrategy(name)
  }

  printRoutes(options: Readonly<Record<string, unknown>> = {}): string {
    return printRoutes(this[kApp].routes, options)
  }

  /** Middleware needs a plugin; this says so. */
  use(): never {
    throw createError('MISSING_MIDDLEWARE', {})
  }
}

interface Query {
  readonly method: string
  readonly url: string
  readonly constraints: Readonly<Record<string, unknown>>
}

function readQuery(options: unknown): Query {
  const { method = '', url = '', constraints } = isRecord(options) ? options : {}
  return {
    method: String(method).toUpperCase(),
    url: String(url),
    constraints: isRecord(constraints) ? constraints : {},
  }
}

function defineIn<T extends Routing>(app: T, options: unknown, place: Place): T {
  const context = app[kContext]
  const { method, url, path } = isRecord(options) ? options : {}
  assertOpen(context.app, `add route ${String(method)} ${String(url ?? path)}`)
  defineRoute(app[kApp], context, options, place)
  return app
}

/** `(path, handler)` or `(path, options, handler)`; the handler may stand in the options. */
function shortcutOptions(
  method: string | string[],
  path: unknown,
  second: unknown,
  third: unknown,
): Record<string, unknown> {
  const route = `${[method].flat().join(',')}:${String(path)}`
  if (third === undefined && isFunction(second)) return { method, url: path, handler: second }
  if (!isRecord(second)) {
    if (second === undefined) throw createError('ROUTE_MISSING_HANDLER', { route })
    throw createError('ROUTE_OPTIONS_NOT_OBJ', { route: `${route} (got ${typeName(second)})` })
  }
  if (third !== undefined && second['handler'] !== undefined)
    throw createError('ROUTE_DUPLICATED_HANDLER', { route })
  return { ...second, method, url: path, handler: third ?? second['handler'] }
}

/** Gives an object the shortcut of a method: `app.get(path, options?, handler)`. */
function defineShortcut(target: object, method: string): void {
  function shortcut(this: Routing, path: unknown, options?: unknown, handler?: unknown): Routing {
    return defineIn(this, shortcutOptions(method, path, options, handler), new Place(shortcut))
  }
  Object.defineProperty(target, method.toLowerCase(), { value: shortcut, writable: true, configurable: true })
}

for (const method of COMMON_METHODS) defineShortcut(Routing.prototype, method)
