import {
  isNestingError,
  lowerHeaderNames,
  SchemaError,
  type RouteRef,
  type SchemaEngine,
  type StandardSchema,
  type ValidateFunction,
} from '@cloister/schema'

import { createError } from '../errors.ts'
import { isLate, isThenable, isRecord } from '../guards.ts'
import type { Side } from './conversions.ts'
import { readJsonSchema, type LibraryJsonSchema } from './json-schema.ts'
import { coerces, structureOf } from './structure.ts'
import {
  LibraryOutput,
  validatorOf,
  type LibraryIssue,
  type LibraryValidator,
  type LibraryResult,
} from './validate.ts'
import { someSchema } from './subschemas.ts'

/** When responses are validated by the library of their schema. */
export type ResponseValidation = 'needed' | 'always' | 'never'

/** A request part, and the route that errors of its schema name. */
export interface LibraryPart {
  readonly part: string
  readonly route: RouteRef
}

/** The validators of a part: of text, and of JSON, whose values have types already. */
export interface LibraryValidators {
  readonly ofText: LibraryValidator
  readonly ofJson: LibraryValidator
}

/** How the response of a route is treated. */
export interface ResponseUse {
  readonly validation: ResponseValidation
  /** makes the error of a payload that is refused */
  readonly refuse: (cause: unknown) => Error
}

type JsonSchema = Readonly<Record<string, unknown>>

/** Writes the value that a library has made, or a payload that needs no validation. */
type Write = (payload: unknown) => string

/** The schemas of other libraries (Standard Schema) in one app. */
export class LibrarySchemas {
  readonly #known: Readonly<Record<Side, WeakMap<object, LibraryJsonSchema>>> = {
    input: new WeakMap(),
    output: new WeakMap(),
  }
  readonly #createCoercer: () => SchemaEngine | null
  #coercer: SchemaEngine | null | undefined
  readonly #validating = new WeakSet<Write>()

  /** @param createCoercer - makes the engine that coerces text; `null` where the app coerces nothing */
  constructor(createCoercer: () => SchemaEngine | null) {
    this.#createCoercer = createCoercer
  }

  /** The JSON Schema that a library offers for its schema; `null` where it offers none. */
  jsonSchema(schema: StandardSchema, side: Side): LibraryJsonSchema | null {
    const known = this.#known[side].get(schema)
    if (known !== undefined) return known
    const read = readJsonSchema(schema, side)
    if (read !== null) this.#known[side].set(schema, read)
    return read
  }

  /**
   * Makes the validators of a request part. Text is coerced by the JSON Schema of the library, by the rules that hold for
   * JSON Schema; what cannot be coerced is refused by the library, in its own words.
   *
   * @throws SchemaError where that JSON Schema cannot be used
   */
  validators(schema: StandardSchema, { part, route }: LibraryPart): LibraryValidators {
    const json = this.jsonSchema(schema, 'input')?.schema
    const validate = part === 'headers' ? withAnyCase(validatorOf(schema), json) : validatorOf(schema)
    const coerce = json === undefined ? null : this.#coercion(json, { part, route })
    if (coerce === null) return { ofText: validate, ofJson: validate }
    const ofText: LibraryValidator = (data) => {
      const holder = { value: data }
      coerce(data, holder)
      return validate(holder.value)
    }
    return { ofText, ofJson: validate }
  }

  /** The schema by which output is written; `null` where the library has no JSON Schema. */
  outputStructure(schema: StandardSchema): object | null {
    const json = this.jsonSchema(schema, 'output')
    return json === null ? null : structureOf(json.schema, { isWritten: true, patterns: true })
  }

  /**
   * Makes the serializer of a response: the library validates the payload where that is needed, and what it has made is
   * written. Without JSON Schema the library alone decides what is sent, and always validates.
   */
  serializer(schema: StandardSchema, write: Write, { validation, refuse }: ResponseUse): Write {
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

  /** Whether a serializer has its library validate payloads. */
  validates(serialize: Write): boolean {
    return this.#validating.has(serialize)
  }

  /** The function that coerces the text of a part; `null` where nothing is to coerce. */
  #coercion(json: JsonSchema, { part, route }: LibraryPart): ValidateFunction | null {
    if (!coerces(json)) return null
    this.#coercer ??= this.#createCoercer()
    const engine = this.#coercer
    if (engine === null) return null
    const compile = (patterns: boolean): ValidateFunction => {
      const structure = structureOf(json, { isWritten: false, patterns })
      const schema = part === 'headers' ? lowerHeaderNames(structure) : structure
      return engine.compileValidator({ schema, httpPart: part, store: engine.createStore(), route })
    }
    try {
      return compile(true)
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      // An expression that takes too long, say: the library matches it in its own way.
      return compile(false)
    }
  }
}

/** Runs a serializer, whose errors are for the log. */
function guarded(write: Write, refuse: ResponseUse['refuse']): Write {
  return (payload) => {
    try {
      return write(payload)
    } catch (error) {
      throw isNestingError(error, payload) ? error : refuse(error)
    }
  }
}

/** The most issues that one message lists. */
const MAX_ISSUES = 20

function explain(issues: readonly LibraryIssue[]): string {
  const texts = issues
    .slice(0, MAX_ISSUES)
    .map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
  if (issues.length > MAX_ISSUES) texts.push(`and ${issues.length - MAX_ISSUES} more`)
  return texts.join(', ')
}

/**
 * Lets a library find headers by the names in its schema, whatever their letter case: those of requests are in lower
 * case, and so are those of the result (RFC 9110 section 5.1).
 *
 * @param schema - its JSON Schema; without one any name may have upper case
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

/** The name that a header has; libraries also ask for symbols. */
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
  // What the schema declares in upper case comes before what the library has passed through.
  for (const [name, one] of Object.entries(value)) {
    const lower = name.toLowerCase()
    if (name !== lower || !Object.hasOwn(lowered, lower)) lowered[lower] = one
  }
  return new LibraryOutput(lowered)
}
