import { assertOpen } from '../../boot/seal.ts'
import { createError } from '../../errors.ts'
import { isFunction, recordOf, typeName, type Dictionary } from '../../guards.ts'
import { PRINTED_HOOKS } from '../../inspect/print.ts'
import { defineRoute, shortcutOptions } from '../../routes/define-route.ts'
import { findRoute, hasRoute } from '../../routes/route-table.ts'
import { mountHandler } from '../../mount/mount-handler.ts'
import { COMMON_METHODS } from '../../routes/methods.ts'
import { kApp, kContext } from '../../symbols.ts'
import { registration, withCall, type Call, type Instance, type Members } from './members.ts'
import type { MethodShortcuts, RoutingMembers } from '../../types/routing.ts'

/** Members that define routes and read the router. `defineShortcuts` adds the shortcuts (`get`, `post`, …). */
export const routingMembers: Members<
  Exclude<keyof RoutingMembers, keyof MethodShortcuts> | 'mount' | 'route' | 'printRoutes' | 'use' | 'ws'
> = {
  route: withCall(defineIn),

  all: withCall((call, path: unknown, options: unknown, handler?: unknown) =>
    defineIn(call, shortcutOptions([...call.app.methods.names], path, options, handler)),
  ),

  mount: registration(
    (prefix: unknown) => `mount a handler at ${String(prefix)}`,
    ({ app, context, callSite }, prefix: unknown, handler?: unknown, options?: unknown) =>
      mountHandler(app, context, callSite, [prefix, handler, options]),
  ),

  addHttpMethod(method: string, options: Dictionary = {}): Instance {
    this[kApp].methods.add(method, options['hasBody'] === true, options['overrideExisting'] === true)
    defineShortcut(this[kContext].instance, method.toUpperCase())
    return this
  },

  get supportedMethods(): string[] {
    return [...this[kApp].methods.names]
  },

  hasRoute(options: unknown): boolean {
    return hasRoute(this[kApp].routes, options)
  },

  findRoute(options: unknown): { handler: unknown; params: unknown; searchParams: unknown } | null {
    const app = this[kApp]
    const found = findRoute(app.routes, options)
    if (found === null) return null
    const { stored, params, query } = found
    return { handler: stored.handler, params, searchParams: app.parseQuery(query) }
  },

  getDefaultRoute(): unknown {
    return this[kApp].defaultRoute ?? undefined
  },

  setDefaultRoute(route: unknown): void {
    if (!isFunction(route)) throw createError('DEFAULT_ROUTE_INVALID_TYPE', { type: typeName(route) })
    assertOpen(this[kApp], 'set the default route')
    this[kApp].defaultRoute = route
  },

  addConstraintStrategy: registration('add a constraint strategy', ({ app }, strategy: object) =>
    app.routes.addConstraintStrategy({ ...strategy }),
  ),

  hasConstraintStrategy(name: string): boolean {
    return this[kApp].routes.hasConstraintStrategy(name)
  },

  printRoutes(options: object = {}): string {
    const { method, commonPrefix, includeHooks, includeMeta } = recordOf(options)
    const further: readonly unknown[] = Array.isArray(includeMeta) ? includeMeta : []
    const keys: unknown = includeHooks === true ? [...PRINTED_HOOKS, ...further] : includeMeta
    return this[kApp].routes.print({
      method: typeof method === 'string' ? method : undefined,
      commonPrefix: commonPrefix !== false,
      includeMeta: Array.isArray(keys)
        ? keys.filter((key) => typeof key === 'string' || typeof key === 'symbol')
        : Boolean(keys),
    })
  },

  /** Middleware needs a plugin. The error says which. */
  use(): never {
    throw createError('MISSING_MIDDLEWARE', {})
  },

  /** WebSocket routes need a plugin. The error says which. */
  ws(): never {
    throw createError('MISSING_WEBSOCKETS', {})
  },
}

function defineIn({ instance, app, context, callSite }: Call, options: unknown): Instance {
  const { method, url, path } = recordOf(options)
  assertOpen(app, `add route ${String(method)} ${String(url ?? path)}`)
  defineRoute(app, context, options, callSite)
  return instance
}

function defineShortcut(target: object, method: string): void {
  const name = method.toLowerCase()
  const define = withCall((call, path: unknown, options?: unknown, handler?: unknown) =>
    defineIn(call, shortcutOptions(method, path, options, handler)),
  )
  const value = name === 'report' ? orReport(define) : define
  Object.defineProperty(value, 'name', { value: name, configurable: true })
  Object.defineProperty(target, name, { value, writable: true, configurable: true })
}

type Shortcut = (this: Instance, path: unknown, options?: unknown, handler?: unknown) => unknown

/** `app.report()` without a path reads what `strict` would refuse. */
function orReport(define: Shortcut): Shortcut {
  return function report(this: Instance, ...args: Parameters<Shortcut> | []) {
    return args.length === 0 ? (this[kApp].judge?.read() ?? null) : define.apply(this, args)
  }
}

/** Adds the shortcuts of the common methods to a prototype. */
export function defineShortcuts(prototype: object): void {
  for (const method of COMMON_METHODS) defineShortcut(prototype, method)
}
