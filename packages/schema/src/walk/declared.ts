import type { Expression } from '../regexp/compile.ts'
import { isSchemaObject } from '../guards.ts'
import type { NodeContext } from './node.ts'

/** Up to this number of names they are compared one by one. */
const FEW_NAMES = 8

/** A pattern of names, and its source. */
export interface NamePattern {
  readonly source: string
  readonly expression: Expression
}

/**
 * What `properties`, `patternProperties`, `required` and `additionalProperties` say together: each is about the names
 * of the others.
 */
export class Declared {
  readonly names: readonly string[]
  readonly patterns: readonly NamePattern[]
  /** What becomes of undeclared properties, where there is no schema for them. */
  readonly others: 'fail' | 'remove' | undefined
  /** Of many names Ajv finds this one, too. */
  readonly #hasPrototype: boolean
  #names: ReadonlySet<string> | undefined = undefined

  constructor(schema: Readonly<Record<string, unknown>>, context: NodeContext) {
    const { remove } = context.settings
    const { properties, patternProperties, additionalProperties } = schema
    this.names = isSchemaObject(properties) ? declaredNames(properties) : NO_NAMES
    this.#hasPrototype =
      this.names.length > FEW_NAMES && isSchemaObject(properties) && Object.hasOwn(properties, '__proto__')
    this.patterns = patternProperties === undefined ? NO_PATTERNS : patternsOf(patternProperties, context)
    if (remove === 'all') {
      const isMeant = additionalProperties !== undefined || isSchemaObject(properties)
      this.others = isMeant ? 'remove' : undefined
    } else this.others = additionalProperties === false ? (remove ? 'remove' : 'fail') : undefined
  }

  /** Whether `properties` has a name. */
  has(name: string): boolean {
    return (this.#names ??= new Set(this.names)).has(name)
  }

  /** Whether neither `properties` nor `patternProperties` declare a name. */
  isUndeclared(key: string): boolean {
    const { names, patterns } = this
    if (names.length > FEW_NAMES ? this.has(key) : names.includes(key)) return false
    if (this.#hasPrototype && key === '__proto__') return false
    if (patterns.length === 0) return true
    for (const { expression } of patterns) if (expression.test(key)) return false
    return true
  }
}

const NO_PATTERNS: readonly NamePattern[] = Object.freeze([])
const NO_NAMES: readonly string[] = Object.freeze([])

/** The default of a property of a schema. */
export function defaultIn({ properties }: Readonly<Record<string, unknown>>, name: string): unknown {
  const schema = isSchemaObject(properties) ? properties[name] : undefined
  return isSchemaObject(schema) ? schema['default'] : undefined
}

function patternsOf(schemas: unknown, context: NodeContext): NamePattern[] {
  const sources = isSchemaObject(schemas) ? declaredNames(schemas) : []
  return sources.map((source) => ({ source, expression: context.expression(source) }))
}

/** The names of a map of schemas that Ajv looks at. */
function declaredNames(schemas: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.keys(schemas)
  return names.includes('__proto__') ? names.filter((name) => name !== '__proto__') : names
}
