import { BodyContent, isPlainObject, isStandardSchema, SchemaError } from '@cloister/schema'
import type { NormalizedRouteSchema } from '@cloister/schema'

import type { Context } from '../../context/context.ts'
import { isFunction } from '../../functions.ts'
import type { AnyFunction } from '../../functions.ts'
import type {
  ContentValidators,
  PartValidateFunction,
  PartValidator,
  PlanValidators,
  RequestPart,
} from '../../request/route-plan.ts'
import { exactStoreOf, headerStoreOf, storeOf } from './compilers.ts'
import type { RouteRecord } from '../route-record.ts'
import { failedBuild, siteOf } from './schema-site.ts'
import { validateWithStandardSchema } from './standard-schema.ts'

/**
 * Compiles the validators of a route's request parts, in the order in which they run.
 *
 * @param compiler - the application's validator compiler in charge, or `null` for the schema engine
 * @throws `CLO_ERR_SCH_VALIDATION_BUILD`
 */
export function planValidators(
  record: RouteRecord,
  schema: NormalizedRouteSchema,
  compiler: AnyFunction | null,
): PlanValidators | null {
  const compile = (part: RequestPart, partSchema: unknown): PartValidator | null =>
    partSchema === undefined ? null : compilePart(record, part, partSchema, compiler)
  const { params, querystring, headers, body } = schema
  if (params === undefined && querystring === undefined && headers === undefined && body === undefined)
    return null
  const inOrder = [
    compile('params', params),
    body instanceof BodyContent ? compileContent(record, body, compiler) : compile('body', body),
    compile('querystring', querystring),
    compile('headers', headers),
  ]
  return { inOrder: inOrder.filter((validator) => validator !== null) }
}

function compileContent(
  record: RouteRecord,
  body: BodyContent,
  compiler: AnyFunction | null,
): ContentValidators {
  const byEssence = new Map<string, PartValidator>()
  for (const [essence, schema] of body.content) {
    byEssence.set(essence, compilePart(record, 'body', schema, compiler, essence))
  }
  return { part: 'body', byEssence }
}

function compilePart(
  record: RouteRecord,
  part: RequestPart,
  schema: unknown,
  compiler: AnyFunction | null,
  contentType?: string,
): PartValidator {
  const { method, url, context } = record
  const facts: PartFacts = {
    part,
    byEssence: null,
    exact: null,
    admitsAbsence: part === 'body' && admitsNull(schema, context),
  }
  if (compiler === null && isStandardSchema(schema)) {
    return { ...facts, validate: validateWithStandardSchema(schema), custom: true, replaces: false }
  }
  try {
    if (compiler === null) return compileWithEngine(record, schema, facts)
    const input = { schema, method, url, httpPart: part }
    return compileWith(compiler, contentType === undefined ? input : { ...input, contentType }, facts)
  } catch (cause) {
    throw failedBuild('SCH_VALIDATION_BUILD', record, part, cause)
  }
}

/** What is known of a validator before it is compiled. */
type PartFacts = Pick<PartValidator, 'part' | 'byEssence' | 'exact' | 'admitsAbsence'>

function compileWithEngine(record: RouteRecord, schema: unknown, facts: PartFacts): PartValidator {
  const { context } = record
  const { engine, exactEngine } = context.app
  const { part } = facts
  const site = siteOf(record)
  const store = part === 'headers' ? headerStoreOf(context, schema) : storeOf(context)
  const validate = engine.compileValidator({ schema, httpPart: part, store, site })
  const validator: PartValidator = { ...facts, validate, custom: false, replaces: true }
  if (part !== 'body' || exactEngine === null) return validator
  const exactStore = exactStoreOf(context, exactEngine)
  const exact = exactEngine.compileValidator({ schema, httpPart: part, store: exactStore, site })
  return { ...validator, exact: { ...validator, validate: exact } }
}

function compileWith(compiler: AnyFunction, input: object, facts: PartFacts): PartValidator {
  const validate = compiler(input)
  if (!isPartValidate(validate)) throw new Error('the validator compiler must return a function')
  // Ajv marks what it compiled from a `$async` schema: its result is the data, whichever compiler called Ajv.
  const custom = Reflect.get(validate, '$async') !== true
  return isAjvFunction(validate)
    ? { ...facts, validate: tellPlace(validate), custom, replaces: true }
    : { ...facts, validate, custom, replaces: false }
}

function isPartValidate(value: unknown): value is PartValidateFunction {
  return isFunction(value)
}

type AjvFunction = PartValidateFunction & { readonly schemaEnv: object }

/** What an Ajv of the application compiled. */
const isAjvFunction = (validate: PartValidateFunction): validate is AjvFunction => 'schemaEnv' in validate

/** Ajv replaces a value that is no object only when it gets the parent of the value. */
function tellPlace(validate: AjvFunction): PartValidateFunction {
  const placed: PartValidateFunction = (data, holder) =>
    holder === undefined
      ? validate(data)
      : Reflect.apply(validate, undefined, [data, { parentData: holder, parentDataProperty: 'value' }])
  return Object.defineProperty(placed, 'errors', { get: () => validate.errors })
}

/** A schema that names `null`, itself or by what it refers to, admits a body that is not there. */
function admitsNull(schema: unknown, context: Context): boolean {
  if (!isPlainObject(schema)) return false
  try {
    return context.app.engine.admitsNull(schema, storeOf(context))
  } catch (error) {
    // It is the compiler that says what is wrong with it; one of the application may know better.
    if (error instanceof SchemaError) return false
    throw error
  }
}
