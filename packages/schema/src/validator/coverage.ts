import { namedDialect } from '../document/dialect.ts'
import { isKnownFormat, unknownKeywordIn } from '../document/known-keywords.ts'
import { isIgnoredFormat, isIgnoredKeyword, type SchemaRules } from '../document/schema-rules.ts'
import { childLocation, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import { referencesOf } from '../document/references.ts'
import { DEFINITIONS, eachSubschema, type Path } from '../document/subschemas.ts'
import { isObject, isSchemaObject } from '../guards.ts'

/** Something that only Ajv supports, and its location. */
export interface Uncovered {
  readonly what: string
  readonly location: SchemaLocation
}

/** Decides whether the engine supports everything in a schema; checks shared schemas once per engine. */
export class Coverage {
  readonly #covered: WeakSet<object> = new WeakSet()
  readonly #rules: SchemaRules

  constructor(rules: SchemaRules) {
    this.#rules = rules
  }

  /** Finds what the engine cannot validate itself, in a schema and in what it refers to. */
  uncovered(root: SchemaLocation, scope: SchemaScope): Uncovered | undefined {
    const seen = new Set<object>()
    const open = [root]
    for (let location = open.pop(); location !== undefined; location = open.pop()) {
      const { schema } = location
      if (typeof schema === 'boolean') continue
      if (!isObject(schema)) return { what: 'a schema that is no object', location }
      if (seen.has(schema) || this.#covered.has(schema)) continue
      const what = unknownIn(location, this.#rules)
      if (what !== undefined) return { what, location }
      seen.add(schema)
      const path: Path = []
      eachSubschema(schema, path, (_child, keyword) => {
        if (!DEFINITIONS.has(keyword)) open.push(childLocation(location, path))
      })
      for (const { ref } of referencesOf(location)) {
        const target = scope.resolve(location, ref)
        if (target === undefined) return { what: `the reference "${ref}"`, location }
        open.push(target)
      }
    }
    for (const schema of seen) this.#covered.add(schema)
    return undefined
  }
}

function unknownIn({ schema, document }: SchemaLocation, rules: SchemaRules): string | undefined {
  if (!isSchemaObject(schema)) return 'a schema that is no object'
  const unknown = unknownKeywordIn(schema, document.dialect, (name) => isIgnoredKeyword(name, rules))
  if (unknown !== undefined) return `the keyword "${unknown}"`
  const { format, nullable, type, $ref: ref, $schema: metaSchema } = schema
  if (typeof metaSchema === 'string' && metaSchema !== '' && namedDialect(metaSchema) === undefined)
    return `the "$schema" ${JSON.stringify(metaSchema)}`
  if (ref === '') return 'an empty "$ref"'
  if (nullable !== undefined && type === undefined) return 'the keyword "nullable" without "type"'
  if (nullable === false && (type === 'null' || (Array.isArray(type) && type.includes('null'))))
    return 'the keyword "nullable" that is false beside the type null'
  if (format === undefined) return undefined
  if (typeof format === 'string' && (isKnownFormat(format) || isIgnoredFormat(format, rules)))
    return undefined
  return `the format ${JSON.stringify(format)}`
}
