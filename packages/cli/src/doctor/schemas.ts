import type { RouteExplanation } from 'cloister'
import type { ValidatorExplanation } from 'cloister/types'

import type { LoadedApp } from '../load-app.ts'
import { routesOf } from '../print-routes.ts'
import type { Finding } from './finding.ts'

/** Finds the schemas whose values or errors need Ajv, which costs time and generates code. */
export function checkSchemas(app: LoadedApp): Finding[] {
  return routesOf(app.explain()).flatMap(({ method, url, constraints, automatic }) => {
    const found = automatic ? null : app.explain(method, url, constraints)
    return found?.kind === 'route' ? found.validators.flatMap((validator) => toFinding(found, validator)) : []
  })
}

/** Finds values in schemas of other libraries that JSON Schema cannot express. */
export async function checkGaps(app: LoadedApp): Promise<Finding[]> {
  const { inspectRoutes } = await import('cloister/inspect')
  return inspectRoutes(app).flatMap(({ description: { method, url, callSite, automatic }, gaps }) =>
    automatic
      ? []
      : gaps.map(({ part, pointer, reason }) => ({
          level: 'note',
          check: 'schemas',
          code: 'JSON_SCHEMA_GAP',
          message:
            `the ${part} of ${method} ${url} has a value without JSON Schema at '#${pointer}': ${reason}. Documents and ` +
            'typed clients know nothing of it, and text is not coerced for it: say what comes out of it, as with ' +
            ".pipe(z.string()), or describe it, as with .meta({ type: 'string' })",
          callSite,
        })),
  )
}

function toFinding(
  { method, url }: RouteExplanation,
  { part, ajv, callSite }: ValidatorExplanation,
): Finding[] {
  if (ajv === null || ajv === 'never') return []
  const where = `the ${part} of ${method} ${url}`
  const message =
    ajv === 'always'
      ? `Ajv validates every value of ${where}, which is slower and generates code: its schema, or the option 'ajv', has what only Ajv supports, such as keywords of your own`
      : `Ajv makes the errors of ${where}, and compiles its schema for the first invalid value: it has keywords or formats that only Ajv supports`
  return [
    {
      level: 'note',
      check: 'schemas',
      code: ajv === 'always' ? 'AJV_ALWAYS' : 'AJV_REFUSALS',
      message,
      callSite,
    },
  ]
}
