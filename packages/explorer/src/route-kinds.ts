import type { RouteDescription } from 'cloister'
import { inspectRoutes } from 'cloister/inspect'
import type { InspectedRoute } from 'cloister/inspect'

/** A route whose requests become something else than one response. */
export interface KnownKind extends Pick<RouteDescription, 'method' | 'url' | 'constraints'> {
  readonly kind: 'socket' | 'events'
}

const EVENTS = 'text/event-stream'

/** Returns the WebSocket routes of an app, and the routes that declare a stream of events. */
export function readKinds(app: Parameters<typeof inspectRoutes>[0]): readonly KnownKind[] {
  return inspectRoutes(app).flatMap((route) => {
    const kind = route.messages !== null ? 'socket' : hasEvents(route) ? 'events' : null
    const { method, url, constraints } = route.description
    return kind === null ? [] : [{ method, url, constraints, kind }]
  })
}

function hasEvents({ schema: { response } }: InspectedRoute): boolean {
  return [...(response?.values() ?? [])].some(({ content }) => content?.has(EVENTS) === true)
}
