import { assertOpen } from '../../boot/seal.ts'
import { createError } from '../../errors.ts'
import { isFunction, isRecord, typeName } from '../../guards.ts'
import { printRoutes } from '../../inspect/print.ts'
import type { CallSite } from '../../call-site.ts'
import { defineRoute, shortcutOptions } from '../../routes/define-route.ts'
import { findRoute, hasRoute } from '../../routes/route-table.ts'
import { defineSocket } from '../../sockets/define-socket.ts'
import { mountHandler } from '../../mount/mount-handler.ts'
import { COMMON_METHODS } from '../../routes/methods.ts'
import { kApp, kContext } from '../../symbols.ts'
import { registration, withCallSite, type Instance, type Members } from './members.ts'
import type { MethodShortcuts, RoutingMembers } from '../../types/routing.ts'

/** Members that define routes and read the router. `defineShortcuts` adds the shortcuts (`get`, `post`, …). */
export const routingMembers: Members<
  Exclude<keyof RoutingMembers, keyof MethodShortcuts> | 'route' | 'printRoutes' | 'use'
> = {
  route: withCallSite((instance, callSite, options: unknown) => defineIn(instance, options, callSite)),

  all: withCallSite((instance, callSite, path: unknown, options: unknown, handler?: unknown) => {
    const method = [...instance[kApp].methods.names]
    return defineIn(instance, shortcutOptions(method, path, options, handler), callSite)
  }),

  ws: registration(
    (path: unknown) => `add the WebSocket route ${String(path)}`,
    (instance, callSite, path: unknown, second?: unknown, third?: unknown) =>
      defineSocket(instance[kApp], instance[kContext], [path, second, third], callSite),
  ),

  mount: registration(
    (prefix: unknown) => `mount a handler at ${String(prefix)}`,
    (instance, callSite, prefix: unknown, handler?: unknown, options?: unknown) =>
      mountHandler(instance[kApp], instance[kContext], { prefix, handler, options }, callSite),
  ),

  addHttpMethod(method: string, options: Readonly<Record<string, unknown>> = {}): Instance {
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

  addConstraintStrategy: registration('add a constraint strategy', (instance, _callSite, strategy: object) =>
    instance[kApp].routes.addConstraintStrategy({ ...strategy }),
  ),

  hasConstraintStrategy(name: string): boolean {
    return this[kApp].routes.hasConstraintStrategy(name)
  },

  printRoutes(options: object = {}): string {
    return printRoutes(this[kApp].routes, { ...options })
  },

  /** Middleware needs a plugin. The error says which. */
  use(): never {
    throw createError('MISSING_MIDDLEWARE', {})
  },
}

function defineIn(instance: Instance, options: unknown, callSite: CallSite): Instance {
  const { method, url, path } = isRecord(options) ? options : {}
  assertOpen(instance[kApp], `add route ${String(method)} ${String(url ?? path)}`)
  defineRoute(instance[kApp], instance[kContext], options, callSite)
  return instance
}

function defineShortcut(target: object, method: string): void {
  const name = method.toLowerCase()
  const value = withCallSite((instance, callSite, path: unknown, options?: unknown, handler?: unknown) =>
    defineIn(instance, shortcutOptions(method, path, options, handler), callSite),
  )
  Object.defineProperty(value, 'name', { value: name, configurable: true })
  Object.defineProperty(target, name, { value, writable: true, configurable: true })
}

/** Adds the shortcuts of the common methods to a prototype. */
export function defineShortcuts(prototype: object): void {
  for (const method of COMMON_METHODS) defineShortcut(prototype, method)
}
