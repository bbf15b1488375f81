import type { LoadedApp } from '../load-app.ts'
import type { Finding } from './finding.ts'

/** Lists what `strict` would refuse of an app with `strict: 'report'`: at boot, and of requests that its boot sends. */
export function checkStrict(app: LoadedApp): Finding[] {
  const report = app.report()
  if (report === null) return []
  const note = (code: string, message: string, callSite: string | null): Finding => ({
    level: 'note',
    check: 'strict',
    code,
    message,
    callSite,
  })
  const refusals = report.routes.flatMap(({ method, url, callSite, examples }) =>
    Object.entries(examples).map(([reason, example]) =>
      note(
        'STRICT_REFUSES',
        `strict would refuse ${method} ${url}, by its option ${reason}: ${example}`,
        callSite,
      ),
    ),
  )
  const safe = report.routes.filter((route) => route.safe).length
  const summary = `${safe} of ${report.routes.length} routes are safe to switch to strict, as far as a start without clients shows; app.report() of the running app, and the metric cloister_strict_refusals_total of @cloister/operate, count the requests of clients`
  return [
    ...report.app.map((problem) => note('STRICT_REFUSES', problem, null)),
    ...refusals,
    note('STRICT_REPORT', summary, null),
  ]
}
