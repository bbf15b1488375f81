import { isSchemaObject } from '../../src/guards.ts'

/** Keywords whose values are data, or lists of names. */
const DATA = new Set(['enum', 'const', 'default', 'required', 'type', 'examples'])

/** Writes a schema of draft-07 as 2020-12, with some of what only that has. */
export function laterForm(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(laterForm)
  if (!isSchemaObject(schema)) return schema
  const later: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (DATA.has(keyword)) later[keyword] = value
    else if (keyword === 'items' && Array.isArray(value)) later['prefixItems'] = laterForm(value)
    else if (keyword === 'additionalItems') later['items'] = laterForm(value)
    else if (keyword === '$id' && typeof value === 'string' && value.startsWith('#'))
      later['$anchor'] = value.slice(1)
    else if (keyword === 'dependencies' && isSchemaObject(value)) addDependencies(value, later)
    else later[keyword] = laterForm(value)
  }
  if (later['contains'] !== undefined && Array.isArray(later['prefixItems'])) {
    Object.assign(later, { minContains: 2, maxContains: 3 })
  }
  if (schema['additionalItems'] !== undefined && !Array.isArray(schema['items'])) delete later['items']
  return later
}

function addDependencies(dependencies: Record<string, unknown>, later: Record<string, unknown>): void {
  const entries = Object.entries(dependencies)
  later['dependentRequired'] = Object.fromEntries(entries.filter(([, needed]) => Array.isArray(needed)))
  later['dependentSchemas'] = Object.fromEntries(
    entries.filter(([, needed]) => !Array.isArray(needed)).map(([name, needed]) => [name, laterForm(needed)]),
  )
}
