import type { MetricAttributes } from './types.ts'

/** Upper bounds of the buckets in seconds, as OpenTelemetry recommends for HTTP servers. */
export const BOUNDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]
/** The label of requests without a route: clients choose their URLs, so those are unlimited. */
const UNMATCHED = 'unmatched'
/** OpenTelemetry's name for all other methods, which clients may choose freely. */
const OTHER_METHOD = '_OTHER'
const METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY'.split(' '),
)
/** The client has gone before its response was complete, so the request has no status. */
const ABORTED = 'aborted'

/** The durations of requests with the same method, route and status. */
export interface Series {
  readonly method: string
  readonly route: string
  /** the status, or `aborted` */
  readonly status: string
  /** the number of requests in each bucket, not cumulative; the last one is for those above all bounds */
  readonly counts: Float64Array
  sum: number
  /** the same as OpenTelemetry attributes */
  readonly attributes: MetricAttributes
}

/**
 * The durations of the requests of an app. The number of series depends on its routes and statuses, never on what
 * clients send.
 */
export class DurationSeries {
  readonly #byRoute = new Map<string, Map<number, Map<string, Series>>>()

  /** @param route - the path of the route; undefined if none matches */
  record(
    method: string,
    route: string | undefined,
    status: number,
    isAborted: boolean,
    seconds: number,
  ): Series {
    const name = METHODS.has(method) ? method : OTHER_METHOD
    const series = this.#find(name, route ?? UNMATCHED, isAborted ? 0 : status)
    let bucket = 0
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? Infinity)) bucket++
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.sum += seconds
    return series
  }

  list(): readonly Series[] {
    return [...this.#byRoute.values()].flatMap((byStatus) =>
      [...byStatus.values()].flatMap((byMethod) => [...byMethod.values()]),
    )
  }

  #find(method: string, route: string, status: number): Series {
    let byStatus = this.#byRoute.get(route)
    if (byStatus === undefined) this.#byRoute.set(route, (byStatus = new Map<number, Map<string, Series>>()))
    let byMethod = byStatus.get(status)
    if (byMethod === undefined) byStatus.set(status, (byMethod = new Map<string, Series>()))
    let series = byMethod.get(method)
    if (series === undefined) byMethod.set(method, (series = createSeries(method, route, status)))
    return series
  }
}

function createSeries(method: string, route: string, status: number): Series {
  return {
    method,
    route,
    status: status === 0 ? ABORTED : String(status),
    counts: new Float64Array(BOUNDS.length + 1),
    sum: 0,
    attributes: {
      'http.request.method': method,
      ...(route === UNMATCHED ? {} : { 'http.route': route }),
      ...(status === 0 ? {} : { 'http.response.status_code': status }),
      ...(status === 0 ? { 'error.type': ABORTED } : status >= 500 ? { 'error.type': String(status) } : {}),
    },
  }
}
