import { writeFileSync } from 'node:fs'
import { Server } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { isObject, listOf, objectOf, framesHere } from '@cloister/cli/internal'

/*
 * `cloister migrate --from express` runs this module for an app file. It loads the app without opening a port, and
 * writes its findings as JSON.
 */

export interface ExpressRoute {
  readonly method: string
  readonly path: string
  /** `file:line`; empty if it is not in a file of the project. */
  readonly callSite: string
}

/** What a file has of Express. */
export interface ExpressApp {
  /** The export that is the app, or a function that returns it; `null` if there is none. */
  readonly name: string | null
  readonly isFactory: boolean
  readonly routes: readonly ExpressRoute[]
  /** Where the file calls `listen` itself. */
  readonly listens: readonly string[]
}

type AnyFunction = (...args: unknown[]) => unknown

const NAMES = ['default', 'app', 'server', 'createApp', 'buildApp', 'create', 'build']
const [, , file = '', output = ''] = process.argv
const MANY = 20
/** The path under which a router or an app was added to another one. */
const mounts = new Map<unknown, { readonly path: unknown; readonly child: unknown }[]>()
const places = new Map<unknown, string>()
const listens: string[] = []

watchExpress(createRequire(path.resolve(file))('express'))
watch(Server.prototype, 'listen', (server) => {
  listens.push(framesHere()[0] ?? '')
  return server
})
const loaded: unknown = await import(pathToFileURL(path.resolve(file)).href)
const exported = { ...objectOf(objectOf(loaded)['default']), ...objectOf(loaded) }
const found: ExpressApp = { ...(await findApp()), listens }
writeFileSync(output, JSON.stringify(found))
// oxlint-disable-next-line unicorn/no-process-exit -- an app may hold timers and connections that it never ends
process.exit(0)

async function findApp(): Promise<Omit<ExpressApp, 'listens'>> {
  const name = NAMES.find((one) => isApp(exported[one])) ?? NAMES.find((one) => isFactory(exported[one]))
  const value = exported[name ?? '']
  const app: unknown = isApp(value) ? value : isFunction(value) ? await value() : null
  if (name === undefined || !isApp(app)) return { name: null, isFactory: false, routes: [] }
  return { name, isFactory: app !== value, routes: routesOf(app, '', []) }
}

/** Records what Express does not store: the paths under which routers are added, and the call sites of routes. */
function watchExpress(express: unknown): void {
  const router: unknown = Reflect.get(Object(express), 'Router')
  const prototype: unknown = Reflect.get(Object(router), 'prototype')
  // Express 4 has the methods on the function itself.
  const routers: unknown = isFunction(Reflect.get(Object(prototype), 'use')) ? prototype : router
  const watchUse = (owner: unknown, isChild: (value: unknown) => boolean): void =>
    watch(owner, 'use', (parent, args, call) => {
      const all = args.flat(Infinity)
      const paths = all.filter((one) => typeof one === 'string' || one instanceof RegExp)
      const known = mounts.get(parent) ?? []
      mounts.set(parent, known)
      for (const child of all.filter(isChild)) {
        for (const one of paths.length === 0 ? [''] : paths) known.push({ path: one, child })
      }
      return call()
    })
  // An app passes routers to its own router, and wraps apps.
  watchUse(Reflect.get(Object(express), 'application'), isApp)
  watchUse(routers, (value) => isApp(value) || isRouter(value))
  watch(routers, 'route', (_router, _args, call) => {
    const route = call()
    places.set(route, framesHere()[0] ?? '')
    return route
  })
}

/** Replaces a method by one that passes each call to a function. */
function watch(
  owner: unknown,
  name: string,
  handle: (self: unknown, args: readonly unknown[], call: () => unknown) => unknown,
): void {
  if (!isFunction(owner) && !isObject(owner)) return
  const original: unknown = Reflect.get(owner, name)
  if (!isFunction(original)) return
  Reflect.set(owner, name, function watched(this: unknown, ...args: unknown[]): unknown {
    return handle(this, args, () => original.apply(this, args))
  })
}

function routesOf(parent: unknown, prefix: string, above: readonly unknown[]): ExpressRoute[] {
  if (above.includes(parent)) return []
  // In Express 4, reading `router` of an app throws.
  const router: unknown = isApp(parent) ? (Reflect.get(parent, '_router') ?? routerOf(parent)) : parent
  const own = listOf(Reflect.get(Object(router), 'stack')).flatMap((layer) =>
    ownRoutes(objectOf(layer)['route'], prefix),
  )
  const inner = [...(mounts.get(parent) ?? []), ...(router === parent ? [] : (mounts.get(router) ?? []))]
  return [...own, ...inner.flatMap((one) => routesOf(one.child, join(prefix, one.path), [...above, parent]))]
}

function routerOf(app: object): unknown {
  try {
    return Reflect.get(app, 'router')
  } catch {
    return null
  }
}

function ownRoutes(route: unknown, prefix: string): ExpressRoute[] {
  if (typeof route !== 'object' || route === null) return []
  const given = Object.keys(objectOf(Reflect.get(route, 'methods')))
  // `app.all` sets every method that Node has.
  const methods = given.length > MANY ? ['_all'] : given
  const callSite = places.get(route) ?? ''
  return [Reflect.get(route, 'path')].flat().flatMap((one) =>
    methods.map((method) => ({
      method: method === '_all' ? 'ALL' : method.toUpperCase(),
      path: join(prefix, one),
      callSite,
    })),
  )
}

function join(prefix: string, added: unknown): string {
  const text = `${prefix}/${String(added)}`.replaceAll(/\/{2,}/g, '/')
  return text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text
}

function isApp(value: unknown): value is AnyFunction {
  return isFunction(value) && ['handle', 'use', 'set'].every((name) => isFunction(Reflect.get(value, name)))
}

function isRouter(value: unknown): value is AnyFunction {
  return isFunction(value) && Array.isArray(Reflect.get(value, 'stack'))
}

function isFactory(value: unknown): value is AnyFunction {
  return isFunction(value) && value.length === 0 && !isRouter(value)
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}
