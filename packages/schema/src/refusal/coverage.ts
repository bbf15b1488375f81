import { namedDialect } from '../document/dialect.ts'
import { isKnownFormat } from '../document/known-keywords.ts'
import type { SchemaLocation, SchemaScope } from '../document/location.ts'
import { referencesOf } from '../document/references.ts'
import { namesOf } from '../document/vocabulary.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { subLocations } from '../store/closure.ts'
import { HAS, surveyKeywords } from '../validator/acceptor/read/keywords.ts'

/** Keywords whose schemas apply only where something refers to them. */
const DEFINITIONS: ReadonlySet<string> = new Set(namesOf(({ role }) => role === 'core'))

/** Says of schemas whether everything in them is known here; what is shared is looked at once per engine. */
export class Coverage {
  readonly #covered: WeakSet<object> = new WeakSet()

  /** Whether our own code can refuse values of a schema and of its references, without Ajv. */
  includes(root: SchemaLocation, scope: SchemaScope): boolean {
    const seen = new Set<object>()
    const open = [root]
    for (let location = open.pop(); location !== undefined; location = open.pop()) {
      const { schema } = location
      if (typeof schema === 'boolean') continue
      if (!isObject(schema)) return false
      if (seen.has(schema) || this.#covered.has(schema)) continue
      if (!isKnown(location)) return false
      seen.add(schema)
      open.push(...appliedBelow(location))
      for (const { ref } of referencesOf(location)) {
        const target = scope.resolve(location, ref)
        if (target === undefined) return false
        open.push(target)
      }
    }
    for (const schema of seen) this.#covered.add(schema)
    return true
  }
}

function isKnown({ schema, document }: SchemaLocation): boolean {
  if (!isSchemaObject(schema) || (surveyKeywords(schema, document.dialect) & HAS.unknown) !== 0) return false
  const { format, nullable, type, $ref: ref, $schema: metaSchema } = schema
  if (typeof metaSchema === 'string' && metaSchema !== '' && namedDialect(metaSchema) === undefined)
    return false
  if (ref === '' || (nullable !== undefined && type === undefined)) return false
  return format === undefined || (typeof format === 'string' && isKnownFormat(format))
}

function appliedBelow(location: SchemaLocation): SchemaLocation[] {
  return subLocations(location).filter(({ pointer }) => {
    const [keyword = ''] = pointer.slice(location.pointer.length + 1).split('/', 1)
    return !DEFINITIONS.has(keyword)
  })
}
