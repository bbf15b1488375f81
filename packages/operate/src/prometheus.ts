import type { StrictReport } from 'cloister'

import { refusalsIn } from './refusals.ts'
import { BOUNDS } from './series.ts'
import type { Series } from './series.ts'

/** The media type of the text (Prometheus exposition format 0.0.4). */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const DURATION = 'http_server_request_duration_seconds'

export interface Figures {
  readonly durations: readonly Series[]
  readonly openRequests: number
  /** refused requests by the exceeded limit; `null` without limits */
  readonly shed: Readonly<Record<string, number>> | null
  /** what `strict` would refuse; `null` without `strict: 'report'` */
  readonly strict: StrictReport | null
}

/** Writes figures as Prometheus text, with the names that OpenTelemetry metrics have in Prometheus. */
export function writePrometheus({ durations, openRequests, shed, strict }: Figures): string {
  const lines = [...header(DURATION, 'histogram', 'Duration of HTTP server requests.')]
  for (const one of durations) lines.push(...durationLines(one))
  const open = 'http_server_active_requests'
  lines.push(
    ...header(open, 'gauge', 'Number of HTTP server requests that are open.'),
    `${open} ${openRequests}`,
  )
  if (shed !== null) {
    const total = 'cloister_shed_requests_total'
    lines.push(...header(total, 'counter', 'Requests that were refused because the process is overloaded.'))
    for (const [limit, count] of Object.entries(shed)) lines.push(`${total}{limit="${limit}"} ${count}`)
  }
  if (strict !== null) lines.push(...strictLines(strict))
  return `${lines.join('\n')}\n`
}

function strictLines(report: StrictReport): readonly string[] {
  const total = 'cloister_strict_refusals_total'
  const help = "Requests and responses that 'strict' would refuse, by the option that would."
  const lines = refusalsIn(report).map(({ method, route, reason, count }) => {
    const labels = `http_request_method="${method}",http_route="${escapeLabel(route)}",reason="${reason}"`
    return `${total}{${labels}} ${count}`
  })
  return [...header(total, 'counter', help), ...lines]
}

function header(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function durationLines({ method, route, status, counts, sum }: Series): readonly string[] {
  const labels = `http_request_method="${method}",http_route="${escapeLabel(route)}",http_response_status_code="${status}"`
  let total = 0
  const buckets = [...counts].map((count, index) => {
    total += count
    return `${DURATION}_bucket{${labels},le="${BOUNDS[index] ?? '+Inf'}"} ${total}`
  })
  return [...buckets, `${DURATION}_sum{${labels}} ${sum}`, `${DURATION}_count{${labels}} ${total}`]
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
