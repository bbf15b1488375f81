import type { RouteDescription } from 'cloister'

import { h, words } from './dom.ts'
import type { Child } from './dom.ts'

/** What the requests of a route become: one response, a WebSocket, or a stream of events. */
export type RouteKind = 'request' | 'socket' | 'events'

/** Tells the kind of a route. */
export type KindOf = (route: RouteDescription) => RouteKind

/** The name of a route as in `GET /users/:id`, `WS /rooms/:room` or `GET /ticks events`. */
export function routeName({ method, url, constraints }: RouteDescription, kind: RouteKind): Child[] {
  const wanted = Object.entries(constraints).map(([name, value]) => ` ${name}=${value}`)
  const shown = kind === 'socket' ? 'WS' : method
  return [
    h('span', { class: `method ${shown}` }, shown),
    ' ',
    words(`${url}${wanted.join('')}`),
    kind === 'events' && ' ',
    kind === 'events' && h('span', { class: 'kind' }, 'events'),
  ]
}
