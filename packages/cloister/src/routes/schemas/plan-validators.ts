import {
  BodyContent,
  SchemaError,
  isPlainObject,
  type NormalizedRouteSchema,
  type StandardSchema,
} from '@cloister/schema'

import type { Context } from '../../context/context.ts'
import { schemaScopeOf } from '../../context/shared-schemas.ts'
import { isFunction, type AnyFunction } from '../../guards.ts'
import type {
  ContentValidators,
  MessageValidator,
  PartValidateFunction,
  PartValidator,
  PlanValidators,
  RequestPart,
} from '../../request/route-plan.ts'
import type { FormRules } from '../../body/forms/form-rules.ts'
import { MULTIPART, withFiles } from './plan-forms.ts'
import { headerStoreOf, storeOf, uncoercedStoreOf } from './compilers.ts'
import { objectNames, withDeepObjects } from './deep-objects.ts'
import { libraryOf } from '../../libraries/validate.ts'
import { failedBuild, routeRefOf, type RouteRecord } from '../route-record.ts'

/**
 * Compiles the validators of a route's request parts, in the order in which they run.
 *
 * @param compiler - the application's validator compiler, or `null` for the schema engine
 * @param form - the rules of the form in the body schema
 * @throws `CLO_ERR_SCH_VALIDATION_BUILD`
 */
export function planValidators(
  record: RouteRecord,
  schema: NormalizedRouteSchema,
  compiler: AnyFunction | null,
  form: FormRules | null,
): PlanValidators | null {
  const compile = (part: RequestPart, partSchema: unknown): PartValidator | null =>
    partSchema === undefined ? null : compilePart(record, part, partSchema, compiler)
  const { params, querystring, headers, body } = schema
  if (params === undefined && querystring === undefined && headers === undefined && body === undefined)
    return null
  const inOrder = [
    compile('params', params),
    body instanceof BodyContent ? compileContent(record, body, compiler, form) : compile('body', body),
    compile('querystring', querystring),
    compile('headers', headers),
  ].filter((validator) => validator !== null)
  // `slice()` trims the spare capacity of the array.
  return { inOrder: inOrder.slice() }
}

function compileContent(
  record: RouteRecord,
  body: BodyContent,
  compiler: AnyFunction | null,
  form: FormRules | null,
): ContentValidators {
  const byMediaType = new Map<string, PartValidator>()
  for (const [essence, schema] of body.content) {
    const validator = compilePart(record, 'body', schema, compiler, essence)
    const hasFiles = form !== null && essence === MULTIPART && libraryOf(schema) === null
    byMediaType.set(essence, hasFiles ? withFiles(validator, form) : validator)
  }
  return { part: 'body', byMediaType, allowsMissing: !body.isRequired }
}

function compilePart(
  record: RouteRecord,
  part: RequestPart,
  schema: unknown,
  compiler: AnyFunction | null,
  contentType?: string,
): PartValidator {
  const { method, url, context } = record
  const facts: PartFacts = { part, allowsMissing: part === 'body' && allowsNull(schema, context) }
  try {
    if (compiler === null) {
      const library = libraryOf(schema)
      return library === null
        ? compileWithEngine(record, schema, facts)
        : compileWithLibrary(record, library, facts)
    }
    const input = { schema, method, url, httpPart: part }
    return compileWith(compiler, contentType === undefined ? input : { ...input, contentType }, facts)
  } catch (cause) {
    throw failedBuild('SCH_VALIDATION_BUILD', record, part, cause)
  }
}

/** The fields of a validator that are known before it is compiled. */
type PartFacts = Pick<PartValidator, 'part' | 'allowsMissing'>

/** Sets all fields in one order, so that all validators share one hidden class. */
function toPartValidator(
  { part, allowsMissing }: PartFacts,
  validate: PartValidateFunction,
  custom: boolean,
  replaces: boolean,
  uncoerced: PartValidator | null = null,
): PartValidator {
  return { part, byMediaType: null, uncoerced, validate, replaces, custom, allowsMissing }
}

/** JSON values already have types; the text of other bodies and parts is coerced. */
function compileWithLibrary(record: RouteRecord, schema: StandardSchema, facts: PartFacts): PartValidator {
  const { part } = facts
  const { context } = record
  const { libraries } = context.app
  const { ofText, ofJson } = libraries.validators(schema, { part, route: routeRefOf(record) })
  const uncoerced = part === 'body' && ofText !== ofJson ? toPartValidator(facts, ofJson, true, false) : null
  const names =
    part === 'querystring' ? deepNames(context, libraries.jsonSchema(schema, 'input')?.schema) : []
  return toPartValidator(facts, withDeepObjects(ofText, names), true, false, uncoerced)
}

/** An application's parser creates objects in its own way. */
function deepNames(context: Context, schema: unknown): readonly string[] {
  if (context.app.options.querystringParser !== null) return []
  return objectNames(schema, () => {
    const scope = schemaScopeOf(context, new WeakMap())
    return { root: scope.open(schema), scope }
  })
}

function compileWithEngine(record: RouteRecord, schema: unknown, facts: PartFacts): PartValidator {
  const { context } = record
  const { engine, uncoercedEngine, options } = context.app
  const { part } = facts
  const route = routeRefOf(record)
  const store = part === 'headers' ? headerStoreOf(context, schema) : storeOf(context)
  const compiled = engine.compileValidator({ schema, httpPart: part, store, route })
  const validate = withDeepObjects(compiled, part === 'querystring' ? deepNames(context, schema) : [])
  if (part !== 'body' || options.coerceJsonBodies) return toPartValidator(facts, validate, false, true)
  const uncoercedStore = uncoercedStoreOf(context)
  const uncoerced = uncoercedEngine().compileValidator({
    schema,
    httpPart: part,
    store: uncoercedStore,
    route,
  })
  return toPartValidator(facts, validate, false, true, toPartValidator(facts, uncoerced, false, true))
}

export function compileCustom(compiler: AnyFunction, input: object): MessageValidator {
  const validate = compiler(input)
  if (!isPartValidate(validate)) throw new Error('the validator compiler must return a function')
  // Ajv marks validators of `$async` schemas. They resolve to the data, even if a custom compiler called Ajv.
  return { validate, custom: Reflect.get(validate, '$async') !== true }
}

function compileWith(compiler: AnyFunction, input: object, facts: PartFacts): PartValidator {
  const { validate, custom } = compileCustom(compiler, input)
  return isAjvFunction(validate)
    ? toPartValidator(facts, withParentData(validate), custom, true)
    : toPartValidator(facts, validate, custom, false)
}

function isPartValidate(value: unknown): value is PartValidateFunction {
  return isFunction(value)
}

type AjvFunction = PartValidateFunction & { readonly schemaEnv: object }

const isAjvFunction = (validate: PartValidateFunction): validate is AjvFunction => 'schemaEnv' in validate

/** Ajv replaces a value that is not an object only if it gets the value's parent. */
function withParentData(validate: AjvFunction): PartValidateFunction {
  const wrapped: PartValidateFunction = (data, holder) =>
    holder === undefined
      ? validate(data)
      : Reflect.apply(validate, undefined, [data, { parentData: holder, parentDataProperty: 'value' }])
  return Object.defineProperty(wrapped, 'errors', { get: () => validate.errors })
}

/** Returns whether a schema allows `null`, directly or by reference, and thus a request without a body. */
function allowsNull(schema: unknown, context: Context): boolean {
  if (!isPlainObject(schema)) return false
  try {
    return context.app.engine.allowsNull(schema, storeOf(context))
  } catch (error) {
    // The compiler reports the problem; a compiler of the application may accept the schema.
    if (error instanceof SchemaError) return false
    throw error
  }
}
