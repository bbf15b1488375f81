import { childLocation } from '@cloister/schema'
import { isSchemaObject } from '@cloister/schema/internal'
import type { InspectedRoute } from 'cloister/inspect'

import type { LoadedApp } from '../load-app.ts'
import type { Finding } from './finding.ts'

type Scope = InspectedRoute['scope']
type Location = ReturnType<Scope['open']>

/** Keywords beside `$ref` that change no response, and those that name or hold schemas for others. */
const SILENT: ReadonlySet<string> = new Set(
  '$ref $id $schema $comment $anchor $defs definitions title description examples example deprecated readOnly writeOnly'.split(
    ' ',
  ),
)
/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example'])

/** Finds keywords beside `$ref` in schemas of responses, which Fastify 4.x ignores. */
export async function checkReferences(app: LoadedApp): Promise<Finding[]> {
  const { inspectRoutes } = await import('cloister/inspect')
  return inspectRoutes(app).flatMap(({ description, isSecondPath, schema, scope }) =>
    description.automatic || isSecondPath
      ? []
      : [...(schema.response ?? [])].flatMap(([status, { schema: one, content }]) =>
          [one, ...(content?.values() ?? [])].flatMap((root) =>
            siblingsIn(scope.open(root), scope).map((found) => toFinding(description, status, found)),
          ),
        ),
  )
}

interface Siblings {
  readonly at: Location
  readonly names: readonly string[]
}

/** Returns the keywords beside `$ref` in a schema and in those that it refers to. */
function siblingsIn(at: Location, scope: Scope, seen: Set<unknown> = new Set()): Siblings[] {
  const { schema } = at
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const ref = isSchemaObject(schema) ? schema['$ref'] : undefined
  const target = typeof ref === 'string' ? scope.resolve(at, ref) : undefined
  const names = target === undefined ? [] : Object.keys(schema).filter((name) => !SILENT.has(name))
  return [
    ...(names.length === 0 ? [] : [{ at, names }]),
    ...(target === undefined ? [] : siblingsIn(target, scope, seen)),
    ...Object.keys(schema)
      .filter((key) => !DATA.has(key))
      .flatMap((key) => siblingsIn(childLocation(at, [key]), scope, seen)),
  ]
}

function toFinding(
  { method, url, callSite }: InspectedRoute['description'],
  status: string,
  { at: { base, pointer }, names }: Siblings,
): Finding {
  const where = `${base.replace(/#$/, '')}#${pointer}`
  return {
    level: 'note',
    check: 'differences',
    code: 'KEYWORDS_BESIDE_REF',
    message: `the response ${status} of ${method} ${url} has ${names.join(', ')} beside $ref at '${where}': they apply, as in requests and in Fastify 5.x; Fastify 4.x ignores them, so its responses may lack properties that these have. Remove them, or write allOf for both`,
    callSite,
  }
}
