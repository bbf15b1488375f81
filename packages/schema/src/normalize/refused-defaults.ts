import { isPlainObject, listOf } from '../guards.ts'
import { TYPE_TESTS, typesOf } from '../document/json-types.ts'
import { pointerToken, targetWithin } from '../document/pointer.ts'
import { isOutside } from '../runtime/outside.ts'
import { createCoercer, REFUSED, type CoercionMode } from '../runtime/coerce.ts'

/** Keywords in which another schema may coerce. */
const NESTING: readonly string[] = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'items', 'properties']

/** A deeper schema is not read. */
const MAX_DEPTH = 32

/**
 * Finds defaults that their own schema refuses: a request without the value is refused. Only what is certain is found:
 * expressions, formats, conditions and shared schemas are not read.
 *
 * @param schema - the schema of a request part
 * @param coercion - how the validator coerces
 * @returns the JSON pointer of each default
 */
export function findRefusedDefaults(schema: unknown, coercion: CoercionMode): string[] {
  const reading = new Reading(schema, coercion)
  reading.visit(schema, '')
  return reading.found
}

class Reading {
  readonly found: string[] = []
  readonly #root: unknown
  readonly #coercion: CoercionMode
  readonly #seen: Set<unknown> = new Set()

  constructor(root: unknown, coercion: CoercionMode) {
    this.#root = root
    this.#coercion = coercion
  }

  /** Visits the places where validators set defaults. Branches of unions get none. */
  visit(schema: unknown, pointer: string): void {
    if (!isPlainObject(schema) || this.#seen.has(schema)) return
    this.#seen.add(schema)
    const { properties, patternProperties, additionalProperties, items, allOf, $ref } = schema
    for (const [name, one] of entriesOf(properties)) {
      // Most properties have neither.
      if (!isPlainObject(one) || (one['default'] === undefined && !hasPlaces(one))) continue
      const at = `${pointer}/properties/${pointerToken(name)}`
      if (one['default'] !== undefined && this.#refuses(one['default'], one, 0))
        this.found.push(`${at}/default`)
      this.visit(one, at)
    }
    for (const [name, one] of entriesOf(patternProperties))
      this.visit(one, `${pointer}/patternProperties/${pointerToken(name)}`)
    this.visit(additionalProperties, `${pointer}/additionalProperties`)
    this.visit(items, `${pointer}/items`)
    listOf(allOf).forEach((one, index) => this.visit(one, `${pointer}/allOf/${index}`))
    if (typeof $ref === 'string') this.visit(this.#targetOf($ref), $ref.slice(1))
  }

  /** Whether a schema refuses a value for certain. */
  #refuses(given: unknown, schema: unknown, depth: number): boolean {
    if (!isPlainObject(schema) || depth > MAX_DEPTH) return false
    const value = this.#coerce(given, schema)
    if (value === REFUSED) return true
    // This keyword of `ajv-keywords` changes the value before others see it.
    if ('transform' in schema) return false
    const refuses = (one: unknown): boolean => this.#refuses(value, one, depth + 1)
    const { $ref } = schema
    if (typeof $ref === 'string' && refuses(this.#targetOf($ref))) return true
    if (isOutside(value, schema) || listOf(schema['allOf']).some(refuses)) return true
    const unions = [listOf(schema['anyOf']), listOf(schema['oneOf'])]
    const refusesAsIs = (one: unknown): boolean => this.#leaves(value, one) && refuses(one)
    if (unions.some((branches) => branches.length > 0 && branches.every(refusesAsIs))) return true
    if (Array.isArray(value)) return value.some((one) => this.#refuses(one, schema['items'], depth + 1))
    if (!isPlainObject(value)) return false
    return entriesOf(schema['properties']).some(
      ([name, one]) => Object.hasOwn(value, name) && this.#refuses(value[name], one, depth + 1),
    )
  }

  /** Whether a branch does not coerce a value for certain: it would pass it on to the next one, also if it fails. */
  #leaves(value: unknown, branch: unknown): boolean {
    if (!isPlainObject(branch)) return false
    if (this.#coercion === false) return true
    return !NESTING.some((name) => name in branch) && [value, REFUSED].includes(this.#coerce(value, branch))
  }

  #coerce(value: unknown, schema: Readonly<Record<string, unknown>>): unknown {
    const types = typesOf(schema)
    if (types.length === 0 || types.some((type) => TYPE_TESTS[type](value))) return value
    const coerce = createCoercer(types, this.#coercion)
    // A value may become null.
    return coerce === undefined ? REFUSED : coerce(value)
  }

  /** Returns the schema that a reference within the document names. */
  #targetOf(reference: string): unknown {
    return reference === '#' ? this.#root : targetWithin(this.#root, reference)
  }
}

/** Whether validators may set defaults below a schema. */
function hasPlaces(schema: Readonly<Record<string, unknown>>): boolean {
  const { properties, patternProperties, additionalProperties, items, allOf, $ref } = schema
  const inMaps = properties ?? patternProperties ?? additionalProperties
  return (inMaps ?? items ?? allOf ?? $ref) !== undefined
}

const entriesOf = (map: unknown): [string, unknown][] => (isPlainObject(map) ? Object.entries(map) : [])
