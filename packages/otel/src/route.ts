import type { ObservedRoute, StartObserver } from 'cloister/inspect'

import { OtelError } from './errors.ts'
import { methodOf, spanNameOf } from './method.ts'
import { invalid, show } from './options.ts'
import type { Settings } from './options.ts'
import { RequestSpan } from './request-span.ts'
import type { Telemetry } from './request-span.ts'

/**
 * Decides at boot what the requests of a route get; `null` for no telemetry.
 *
 * @throws OtelError `CLO_ERR_OTEL_OPTION`, `CLO_ERR_OTEL_ROUTE_OPTION`
 */
export function observeRoute(telemetry: Telemetry, route: ObservedRoute): StartObserver | null {
  const { settings } = telemetry
  if (!isTraced(route) || isIgnored(settings, route)) return null
  const { url } = route
  if (url === null) {
    return (request, reply, message) => {
      const facts = { name: spanNameOf(request.method, null), method: methodOf(request.method), url }
      return new RequestSpan(telemetry, facts, request, reply, message)
    }
  }
  const facts = { name: nameOf(settings, route), method: methodOf(route.method), url }
  return (request, reply, message) => new RequestSpan(telemetry, facts, request, reply, message)
}

function isTraced(route: ObservedRoute): boolean {
  const own = route.options['otel']
  if (own === undefined || typeof own === 'boolean') return own !== false
  throw new OtelError(
    'CLO_ERR_OTEL_ROUTE_OPTION',
    `the option 'otel' of ${labelOf(route)} must be a boolean; got ${show(own)}`,
  )
}

function isIgnored({ ignore }: Settings, route: ObservedRoute): boolean {
  const isWanted: unknown = ignore?.(route) ?? false
  if (typeof isWanted === 'boolean') return isWanted
  throw invalid(
    `the function 'ignore' of @cloister/otel must return a boolean for ${labelOf(route)}; got ${show(
      isWanted,
    )}`,
  )
}

function nameOf({ name }: Settings, route: ObservedRoute): string {
  const given: unknown = name === null ? spanNameOf(route.method, route.url) : name?.(route)
  if (typeof given === 'string' && given !== '') return given
  throw invalid(
    `the function 'name' of @cloister/otel must return a text for ${labelOf(route)}; got ${show(given)}`,
  )
}

function labelOf({ method, url }: ObservedRoute): string {
  return url === null ? 'requests without a route' : `the route ${method} ${url}`
}
