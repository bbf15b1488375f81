import type { StrictReport, StrictRouteReport } from '../../types/report.ts'
import type { JudgedEntry } from './judge.ts'

/** What `strict` would refuse, at one moment. */
export class StrictReportOf implements StrictReport {
  readonly safe: boolean
  readonly app: readonly string[]
  readonly routes: readonly StrictRouteReport[]

  constructor(app: readonly string[], entries: readonly JudgedEntry[]) {
    this.app = app
    this.routes = entries.filter(({ isImplied, counts }) => !isImplied || counts.size > 0).map(toRoute)
    this.safe = app.length === 0 && this.routes.every(({ safe }) => safe)
  }

  toString(): string {
    const safe = this.routes.filter((route) => route.safe).length
    const lines = [
      ...this.app.map((problem) => `the app: ${problem}`),
      ...this.routes.flatMap(linesOf),
      `${safe} of ${this.routes.length} routes are safe to switch${this.safe ? ', and so is the app' : ''}`,
    ]
    return `${lines.join('\n')}\n`
  }
}

function toRoute({ method, url, callSite, requests, counts, examples }: JudgedEntry): StrictRouteReport {
  return {
    method,
    url,
    callSite: callSite.toString(),
    requests,
    safe: counts.size === 0,
    counts: Object.fromEntries(counts),
    examples: Object.fromEntries(examples),
  }
}

function linesOf({ method, url, callSite, requests, counts, examples }: StrictRouteReport): string[] {
  const head = `${method} ${url} (${callSite})`
  const seen = `${requests} ${requests === 1 ? 'request' : 'requests'}`
  const reasons = Object.entries(counts)
  if (reasons.length === 0) return [`${head}: safe to switch, ${seen} so far`]
  return [
    `${head}: ${seen}`,
    ...reasons.map(([reason, count]) => `  ${reason}: ${count}, first: ${Reflect.get(examples, reason)}`),
  ]
}
