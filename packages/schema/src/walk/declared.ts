import { compileExpression, type Expression } from '../regexp/compile.ts'
import { isSchemaObject } from '../guards.ts'
import type { WalkSettings } from './settings.ts'

/** Up to this number of names Ajv compares them one by one; with more it looks a name up in the schema. */
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
  readonly #schema: Readonly<Record<string, unknown>>
  readonly #properties: Readonly<Record<string, unknown>>
  #names: ReadonlySet<string> | undefined = undefined

  constructor(schema: Readonly<Record<string, unknown>>, { remove }: WalkSettings) {
    const { properties, patternProperties, additionalProperties } = schema
    this.#schema = schema
    this.#properties = isSchemaObject(properties) ? properties : NOTHING
    this.names = declaredNames(this.#properties)
    this.patterns = patternProperties === undefined ? NO_PATTERNS : patternsOf(patternProperties)
    if (remove === 'all') {
      const isMeant = additionalProperties !== undefined || isSchemaObject(properties)
      this.others = isMeant ? 'remove' : undefined
    } else this.others = additionalProperties === false ? (remove ? 'remove' : 'fail') : undefined
  }

  /** The names that must be there. */
  get required(): ReadonlySet<unknown> {
    const { required } = this.#schema
    return Array.isArray(required) ? new Set<unknown>(required) : NO_NAMES
  }

  /** Whether properties may be removed, or have a default. */
  get changes(): boolean {
    return this.others === 'remove' || this.names.some((name) => this.defaultOf(name) !== undefined)
  }

  /** The default of a property. */
  defaultOf(name: string): unknown {
    const schema = this.#properties[name]
    return isSchemaObject(schema) ? schema['default'] : undefined
  }

  /** Whether `properties` has a name. */
  has(name: string): boolean {
    return (this.#names ??= new Set(this.names)).has(name)
  }

  /** Whether neither `properties` nor `patternProperties` declare a name. */
  isUndeclared(key: string): boolean {
    const { names, patterns } = this
    if (names.length > FEW_NAMES ? Object.hasOwn(this.#properties, key) : this.names.includes(key))
      return false
    if (patterns.length === 0) return true
    for (const { expression } of patterns) if (expression.test(key)) return false
    return true
  }
}

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({})
const NO_PATTERNS: readonly NamePattern[] = Object.freeze([])
const NO_NAMES: ReadonlySet<string> = new Set()

function patternsOf(schemas: unknown): NamePattern[] {
  const sources = isSchemaObject(schemas) ? declaredNames(schemas) : []
  return sources.map((source) => ({ source, expression: compileExpression(source, 'u') }))
}

/** The names of a map of schemas that Ajv looks at. */
function declaredNames(schemas: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.keys(schemas)
  return names.includes('__proto__') ? names.filter((name) => name !== '__proto__') : names
}
