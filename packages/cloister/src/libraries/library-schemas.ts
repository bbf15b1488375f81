import {
  SchemaError,
  type RouteRef,
  type SchemaEngine,
  type StandardSchema,
  type ValidateFunction,
} from '@cloister/schema'
import { isNestingError, lowerHeaderNames, remember } from '@cloister/schema/internal'

import { createError } from '../errors.ts'
import { isLate, isThenable, isRecord } from '../guards.ts'
import type { Side } from './conversions.ts'
import { inexactIssues, withExactIntegers } from './exact-integers.ts'
import { readFirst, withTextRead } from './read-text.ts'
import { readJsonSchema, type LibraryJsonSchema } from './json-schema.ts'
import {
  LibraryOutput,
  validatorOf,
  type LibraryIssue,
  type LibraryValidator,
  type LibraryResult,
} from './validate.ts'
import { coerces, someSchema, structureOf, textFirst, type JsonSchema } from './subschemas.ts'

/** When the library of a response schema validates payloads. */
export type ResponseValidation = 'needed' | 'always' | 'never'

/** Creates the error for a rejected payload. */
type Refuse = (cause: unknown) => Error

/** Writes the output of a library, or a payload that needs no validation. */
type Write = (payload: unknown) => string

/** The validators of a request part. */
type PartValidators = Readonly<Record<'ofText' | 'ofJson', LibraryValidator>>

/** The schemas of other libraries (Standard Schema) in one app. */
export class LibrarySchemas {
  readonly #known: Readonly<Record<Side, WeakMap<object, LibraryJsonSchema | null>>> = {
    input: new WeakMap(),
    text: new WeakMap(),
    exact: new WeakMap(),
    output: new WeakMap(),
  }
  readonly #createCoercer: () => SchemaEngine | null
  readonly #createFinder: () => SchemaEngine | null
  readonly #createValidator: typeof validatorOf
  #coercer: SchemaEngine | null | undefined
  #finder: SchemaEngine | null | undefined
  readonly #validating = new WeakSet<Write>()

  /**
   * @param createCoercer - creates the engine that coerces text; `null` if the app coerces nothing
   * @param createFinder - creates the engine that finds inexact integers in JSON; `null` if the app accepts these
   * @param createValidator - creates the validators of requests; the default calls the library
   */
  constructor(
    createCoercer: () => SchemaEngine | null,
    createFinder: () => SchemaEngine | null,
    createValidator: typeof validatorOf = validatorOf,
  ) {
    this.#createCoercer = createCoercer
    this.#createFinder = createFinder
    this.#createValidator = createValidator
  }

  jsonSchema(schema: StandardSchema, side: Side): LibraryJsonSchema | null {
    return remember(this.#known[side], schema, () => readJsonSchema(schema, side))
  }

  /**
   * Creates the validators of a request part. Text is coerced with the JSON Schema of the library, by the same rules as
   * for JSON Schema, except where a function or a branch of the library takes text. The library rejects a value that can't be coerced, with its own message. JSON is already typed.
   *
   * @param route - the route, for errors of the schema
   * @throws SchemaError if that JSON Schema can't be compiled
   */
  validators(schema: StandardSchema, part: string, route: RouteRef): PartValidators {
    const json = this.jsonSchema(schema, 'input')?.schema
    const validate =
      part === 'headers' ? withAnyCase(this.#createValidator(schema), json) : this.#createValidator(schema)
    const exact = this.jsonSchema(schema, 'exact')?.schema
    const find = exact === undefined ? null : this.#exactness(exact, part, route)
    const ofJson = find === null ? validate : withExactIntegers(validate, find)
    const read = this.jsonSchema(schema, 'text')?.schema
    const coerce = read === undefined ? null : this.#coercion(read, part, route)
    if (coerce === null || read === undefined) return { ofText: ofJson, ofJson }
    const names = readFirst(read)
    if (names !== null) return { ofText: withTextRead(validate, coerce, names), ofJson }
    const ofText: LibraryValidator = (data) => {
      const holder = { value: data }
      const issues = coerce(data, holder) === true ? null : inexactIssues(coerce.errors)
      return issues ?? validate(holder.value)
    }
    return { ofText, ofJson }
  }

  /** Returns the schema for the serializer of the output; `null` if the library has no JSON Schema. */
  outputStructure(schema: StandardSchema): object | null {
    const json = this.jsonSchema(schema, 'output')
    return json === null ? null : structureOf(json.schema, { isWritten: true, patterns: true })
  }

  /**
   * Creates the serializer of a response. The library validates the payload if needed, and the serializer writes the
   * library's output. Without JSON Schema, only the library decides what is sent, so it always validates.
   */
  serializer(schema: StandardSchema, write: Write, validation: ResponseValidation, refuse: Refuse): Write {
    const json = this.jsonSchema(schema, 'output')
    const isNeeded =
      json === null || validation === 'always' || (validation === 'needed' && !json.hasTypesAlone)
    if (!isNeeded) return guarded(write, refuse)
    const validate = validatorOf(schema)
    const serialize = guarded((payload) => {
      const result = validate(payload)
      if (isThenable(result)) {
        isLate(result)
        throw createError('CALLBACK_NOT_SYNC', { name: 'the schema of a response' })
      }
      if (result !== false && 'value' in result) return write(result.value)
      throw new TypeError(result === false ? 'the library refuses it' : explain(result.error))
    }, refuse)
    this.#validating.add(serialize)
    return serialize
  }

  validates(serialize: Write): boolean {
    return this.#validating.has(serialize)
  }

  /** Returns the function that coerces the text of a part; `null` if there is nothing to coerce. */
  #coercion(json: JsonSchema, part: string, route: RouteRef): ValidateFunction | null {
    if (!coerces(json)) return null
    this.#coercer ??= this.#createCoercer()
    return this.#compile(this.#coercer, json, part, route)
  }

  /** Returns the function that finds inexact integers; `null` if the app accepts these. */
  #exactness(json: JsonSchema, part: string, route: RouteRef): ValidateFunction | null {
    this.#finder ??= this.#createFinder()
    return this.#compile(this.#finder, json, part, route)
  }

  #compile(
    engine: SchemaEngine | null,
    json: JsonSchema,
    part: string,
    route: RouteRef,
  ): ValidateFunction | null {
    if (engine === null) return null
    const compile = (patterns: boolean): ValidateFunction => {
      const structure = structureOf(textFirst(json, patterns), { isWritten: false, patterns })
      const schema = part === 'headers' ? lowerHeaderNames(structure) : structure
      return engine.compileValidator({ schema, httpPart: part, store: engine.createStore(), route })
    }
    try {
      return compile(true)
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      // The engine may reject a pattern, for example one that can be too slow. The library uses its own matcher.
      return compile(false)
    }
  }
}

/** Leaves the verdict to the JSON Schema of a library. The library has validated the value already. */
export function acceptAll(): LibraryValidator {
  return (value) => new LibraryOutput(value)
}

function guarded(write: Write, refuse: Refuse): Write {
  return (payload) => {
    try {
      return write(payload)
    } catch (error) {
      throw isNestingError(error, payload) ? error : refuse(error)
    }
  }
}

const MAX_ISSUES = 20

function explain(issues: readonly LibraryIssue[]): string {
  const texts = issues
    .slice(0, MAX_ISSUES)
    .map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
  if (issues.length > MAX_ISSUES) texts.push(`and ${issues.length - MAX_ISSUES} more`)
  return texts.join(', ')
}

/**
 * Lets a library find headers under the names in its schema, regardless of case. Request headers are in lower case, and
 * so are those of the result (RFC 9110 section 5.1).
 *
 * @param schema - the JSON Schema of the library; without one, any name may contain upper case
 */
export function withAnyCase(validate: LibraryValidator, schema: JsonSchema | undefined): LibraryValidator {
  if (schema !== undefined && !someSchema(schema, namesUpperCase)) return validate
  return (headers) => {
    const result = validate(isRecord(headers) ? new Proxy(headers, ANY_CASE) : headers)
    return isThenable(result) ? Promise.resolve(result).then(inLowerCase) : inLowerCase(result)
  }
}

function namesUpperCase({ properties }: JsonSchema): boolean {
  return isRecord(properties) && Object.keys(properties).some((name) => name !== name.toLowerCase())
}

/** Returns the actual name of a header. Libraries also read symbols. */
function nameIn(headers: object, name: string | symbol): string | symbol {
  return typeof name === 'symbol' || Object.hasOwn(headers, name) ? name : name.toLowerCase()
}

const ANY_CASE: ProxyHandler<Record<string, unknown>> = {
  has: (headers, name) => Reflect.has(headers, nameIn(headers, name)),
  get: (headers, name): unknown => Reflect.get(headers, nameIn(headers, name)),
  getOwnPropertyDescriptor: (headers, name) =>
    Reflect.getOwnPropertyDescriptor(headers, nameIn(headers, name)),
}

function inLowerCase(result: LibraryResult | false): LibraryResult | false {
  if (result === false) return false
  if ('error' in result) {
    return {
      error: result.error.map((issue) => ({ ...issue, instancePath: issue.instancePath.toLowerCase() })),
    }
  }
  const { value } = result
  if (!isRecord(value)) return result
  const lowered: Record<string, unknown> = {}
  // A header that the schema declares in upper case takes precedence over one that the library passed through.
  for (const [name, one] of Object.entries(value)) {
    const lower = name.toLowerCase()
    if (name !== lower || !Object.hasOwn(lowered, lower)) lowered[lower] = one
  }
  return new LibraryOutput(lowered)
}
