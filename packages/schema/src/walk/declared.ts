import { code, join, type Code } from '../codegen/code.ts'
import type { CodeWriter } from '../codegen/writer.ts'
import type { Expression } from '../regexp/compile.ts'
import { isSchemaObject, NOTHING } from '../guards.ts'
import type { NodeContext } from './node.ts'

/** Up to this number, names are compared one by one. */
const FEW_NAMES = 8

/** A set of property names. */
export interface Names {
  has(key: string): boolean
  /** An expression that is true for those. */
  code(key: Code, writer: CodeWriter): Code
}

/** The names that match a pattern. */
export function matching(pattern: Expression): Names {
  return { has: (key) => pattern.test(key), code: (key, writer) => writer.matches(pattern, key) }
}

/** The names that are not in a list and match no pattern. */
export class Undeclared implements Names {
  readonly #others: readonly string[]
  readonly #patterns: readonly Names[]
  #set: ReadonlySet<string> | undefined = undefined

  constructor(others: readonly string[], patterns: readonly Names[]) {
    this.#others = others
    this.#patterns = patterns
  }

  has(key: string): boolean {
    const others = this.#others
    const isOther =
      others.length > FEW_NAMES ? (this.#set ??= new Set(others)).has(key) : others.includes(key)
    if (isOther) return false
    for (const pattern of this.#patterns) if (pattern.has(key)) return false
    return true
  }

  code(key: Code, writer: CodeWriter): Code {
    const items = this.#others
    const tests =
      items.length <= FEW_NAMES
        ? items.map((name) => code`${key} !== ${name}`)
        : [code`!${writer.bind({ kind: 'set', items }, 'declared')}.has(${key})`]
    for (const pattern of this.#patterns) tests.push(code`!${pattern.code(key, writer)}`)
    return tests.length === 0 ? code`true` : join(tests, code` && `)
  }
}

/**
 * The names in `properties`, `patternProperties`, `required` and `additionalProperties`, which depend on each other.
 */
export class Declared {
  /** The names in `properties`. */
  readonly names: readonly string[]
  /** The names that match the patterns, by the source of the pattern. */
  readonly patterns: ReadonlyMap<string, Names>
  /** The names that neither `properties` nor `patternProperties` declare. */
  readonly undeclared: Undeclared
  /** The treatment of undeclared properties, if there is no schema for them. */
  readonly others: 'fail' | 'remove' | undefined

  constructor(
    { properties, patternProperties, additionalProperties }: Readonly<Record<string, unknown>>,
    context: NodeContext,
  ) {
    const { remove } = context.settings
    const isClosed =
      remove === 'all'
        ? additionalProperties !== undefined || isSchemaObject(properties)
        : additionalProperties === false
    this.names = declaredNames(properties)
    const sources = declaredNames(patternProperties)
    this.patterns = new Map(sources.map((source) => [source, matching(context.expression(source))]))
    // In a long list Ajv also checks this name.
    const isFound =
      this.names.length > FEW_NAMES && isSchemaObject(properties) && Object.hasOwn(properties, PROTOTYPE)
    this.undeclared = new Undeclared(isFound ? [...this.names, PROTOTYPE] : this.names, [
      ...this.patterns.values(),
    ])
    this.others = isClosed ? (remove === false ? 'fail' : 'remove') : undefined
  }
}

const PROTOTYPE = '__proto__'

/** The default of a property of a schema. */
export function defaultIn({ properties }: Readonly<Record<string, unknown>>, name: string): unknown {
  const schema = isSchemaObject(properties) ? properties[name] : undefined
  return isSchemaObject(schema) ? schema['default'] : undefined
}

/** The names in a map of schemas that Ajv checks. */
function declaredNames(schemas: unknown): readonly string[] {
  if (!isSchemaObject(schemas)) return NOTHING
  const names = Object.keys(schemas)
  return names.includes(PROTOTYPE) ? names.filter((name) => name !== PROTOTYPE) : names
}
