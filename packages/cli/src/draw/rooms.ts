import type { AppDescription, RouteDescription } from 'cloister'
import type { ContextDescription, HookDescription } from 'cloister/types'

/** A context as a room: what hangs on its walls, its routes, and the rooms inside it. */
export interface Room {
  readonly title: string
  /** hooks, decorators, shared schemas and handlers, one line for each */
  readonly walls: readonly string[]
  readonly routes: readonly string[]
  readonly rooms: readonly Room[]
}

/** With more methods than this, a route is shown as one for all methods. */
const MAX_METHODS = 5

export function roomsOf({ contexts }: AppDescription): Room {
  return toRoom(contexts)
}

function toRoom({
  name,
  prefix,
  hooks,
  decorators,
  schemas,
  errorHandler,
  routes,
  children,
}: ContextDescription): Room {
  const lines = [
    ...list('hooks', hooks.map(printHook)),
    ...list(
      'decorators',
      decorators.map(({ kind, name: one }) => (kind === 'instance' ? `app.${one}` : `${kind}.${one}`)),
    ),
    ...list(
      'schemas',
      schemas.map(({ id }) => id),
    ),
    ...list('errors', errorHandler === null ? [] : [errorHandler.fn]),
  ]
  return {
    title: prefix === '' ? name : `${name} ${prefix}`,
    walls: lines,
    routes: printRoutes(routes),
    rooms: children.map(toRoom),
  }
}

function list(label: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${label}: ${names.join(', ')}`]
}

function printHook({ name, fn }: HookDescription): string {
  return `${name} ${fn}`
}

function printRoutes(routes: readonly RouteDescription[]): readonly string[] {
  const methods = new Map<string, string[]>()
  for (const { method, url, constraints, automatic, hooks } of routes) {
    if (automatic) continue
    const wanted = Object.entries(constraints).map(([name, value]) => ` ${name}=${value}`)
    const own = hooks.filter(({ source }) => source === 'route').map(printHook)
    const key = url + wanted.join('') + (own.length === 0 ? '' : ` (${own.join(', ')})`)
    methods.set(key, [...(methods.get(key) ?? []), method])
  }
  return Array.from(methods, ([key, all]) => `${all.length > MAX_METHODS ? 'ALL' : all.join(' ')} ${key}`)
}
