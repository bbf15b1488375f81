import { SchemaError, type NormalizedRouteSchema, type StandardSchema } from '@cloister/schema'
import { BodyContent, isPlainObject } from '@cloister/schema/internal'

import { hasParser, type ParserEntry } from '../../body/parser-table.ts'
import { parseMediaType } from '../../body/media-type.ts'
import type { Context } from '../../context/context.ts'
import { isFunction, type AnyFunction } from '../../guards.ts'
import type {
  ContentValidators,
  MessageValidator,
  PartValidateFunction,
  PartValidator,
  RequestPart,
  RoutePlan,
} from '../../request/route-plan.ts'
import { planBody } from './plan-bodies.ts'
import { cookieReader } from '../../request/cookies.ts'
import { copyStore, headerStoreOf, storeOf } from './compilers.ts'
import { refuseOwnCompiler, withInt64 } from './int64/with-int64.ts'
import { withDeepObjects, withErrorsOf } from './deep-objects.ts'
import { warn } from '../../logging/warnings.ts'
import { libraryOf } from '../../libraries/validate.ts'
import { failedBuild, placeOf, RecordRef, type RouteRecord } from '../route-record.ts'

/**
 * Compiles the validators of a route's request parts, in the order in which they run, and adds the parsers of bodies
 * that are read by their schema. A parser of the application for the same type takes precedence.
 *
 * @param compiler - the application's validator compiler, or `null` for the schema engine
 * @param parsers - the parsers of the context
 * @throws `CLO_ERR_SCH_VALIDATION_BUILD`
 */
export function planValidators(
  record: RouteRecord,
  { params, querystring, headers, cookies, body }: NormalizedRouteSchema,
  compiler: AnyFunction | null,
  parsers: RoutePlan['parsers'],
): Pick<RoutePlan, 'parsers' | 'validators'> {
  const byMediaType = new Map<string, readonly ParserEntry[]>(parsers.byMediaType)
  const compile = (part: RequestPart, schema: unknown): PartValidator | null =>
    schema === undefined ? null : compilePart(record, part, schema, compiler)
  const compileContent = ({ content, isRequired }: BodyContent): ContentValidators => {
    const validators = new Map<string, PartValidator>()
    const unparsed: string[] = []
    const streamed: string[] = []
    for (const [type, schema] of content) {
      const compiled = compilePart(record, 'body', schema, compiler, type)
      const isParsed = hasParser(parsers, type)
      const { parser, validator } = planBody(record, type, schema, compiled, isParsed)
      validators.set(type, validator)
      const reader = parser ?? parsers.byMediaType.get(type)?.[0]?.parser
      if (reader?.parseAs === null) streamed.push(type)
      if (isParsed) continue
      if (parser !== null) byMediaType.set(type, [{ type: parseMediaType(type), parser }])
      else if (parsers.catchAll === null) unparsed.push(type)
    }
    // Such bodies get a 415 response.
    const tell = (name: 'BODY_TYPE_UNPARSED' | 'RAW_BODY_STREAMED', types: readonly string[]): void => {
      if (types.length > 0 && record.app === record.context.app)
        warn(name, { ...placeOf(record), types: types.join(', ') })
    }
    tell('BODY_TYPE_UNPARSED', unparsed)
    if (record.options['rawBody'] === true) tell('RAW_BODY_STREAMED', streamed)
    return { part: 'body', byMediaType: validators, allowsMissing: !isRequired }
  }
  const readsCookies = record.context.app.options.cookieSchemas === 'validate' && cookies !== undefined
  const inOrder = [
    compile('params', params),
    body instanceof BodyContent ? compileContent(body) : compile('body', body),
    compile('querystring', querystring),
    compile('headers', headers),
    readsCookies ? compile('cookies', cookies) : null,
  ].filter((validator) => validator !== null)
  const readCookies = readsCookies ? cookieReader(cookies, record.context.app.options) : null
  // `slice()` trims the spare capacity of the array.
  return {
    validators: inOrder.length === 0 ? null : { inOrder: inOrder.slice(), readCookies },
    parsers: byMediaType.size === parsers.byMediaType.size ? parsers : { ...parsers, byMediaType },
  }
}

/** A validator as its compiler returns it. */
interface Compiled extends MessageValidator, Pick<PartValidator, 'replaces'> {
  /** validates values that already have types, if that differs */
  readonly uncoerced: PartValidateFunction | null
}

function compilePart(
  record: RouteRecord,
  part: RequestPart,
  schema: unknown,
  compiler: AnyFunction | null,
  contentType?: string,
): PartValidator {
  const allowsMissing = part === 'body' && allowsNull(schema, record.context)
  const { validate, uncoerced, replaces, custom } = compileInput(record, part, schema, compiler, contentType)
  // Sets all fields in one order, so that all validators share one hidden class.
  const make = (fn: PartValidateFunction, ofTyped: PartValidator | null): PartValidator => ({
    part,
    byMediaType: null,
    uncoerced: ofTyped,
    validate: fn,
    replaces,
    custom,
    allowsMissing,
  })
  return make(validate, uncoerced === null ? null : make(uncoerced, null))
}

/**
 * Compiles the validator of the client's messages after an upgrade. Nothing is coerced.
 *
 * @throws `CLO_ERR_SCH_VALIDATION_BUILD`
 */
export function compileMessages(
  record: RouteRecord,
  schema: unknown,
  compiler: AnyFunction | null,
): MessageValidator {
  const { validate, uncoerced, custom } = compileInput(record, 'incoming', schema, compiler)
  return { validate: uncoerced ?? validate, custom }
}

/** Compiles the schema of a part, or of messages: by the compiler of the application, a library, or the engine. */
function compileInput(
  record: RouteRecord,
  part: RequestPart | 'incoming',
  schema: unknown,
  compiler: AnyFunction | null,
  contentType?: string,
): Compiled {
  const { method, url, context, app } = record
  const { engine } = app
  try {
    if (compiler !== null) {
      refuseOwnCompiler(part, schema, record)
      const type = contentType === undefined ? {} : { contentType }
      return compileWith(compiler, part, { schema, method, url, httpPart: part, ...type })
    }
    const library = libraryOf(schema)
    if (library !== null) return compileWithLibrary(record, part, library)
    const rest = { custom: false, replaces: true }
    if (part === 'incoming')
      return { validate: compileUncoerced(record, part, schema), uncoerced: null, ...rest }
    const store = part === 'headers' ? headerStoreOf(context, schema, engine) : storeOf(context, engine)
    const ofEngine = engine.compileValidator({ schema, httpPart: part, store, route: new RecordRef(record) })
    const compiled = withInt64(ofEngine, part, schema, context, app)
    const validate = part === 'querystring' ? withDeepObjects(compiled, schema, context) : compiled
    const isTwofold = part === 'body' && !app.options.coerceJsonBodies
    return { validate, uncoerced: isTwofold ? compileUncoerced(record, part, schema) : null, ...rest }
  } catch (cause) {
    throw failedBuild('SCH_VALIDATION_BUILD', record, part, cause)
  }
}

/** Compiles the schema of values that already have types. */
function compileUncoerced(record: RouteRecord, part: string, schema: unknown): PartValidateFunction {
  const { context, app } = record
  const engine = app.uncoercedEngine()
  const store = copyStore(context, engine)
  const validate = engine.compileValidator({ schema, httpPart: part, store, route: new RecordRef(record) })
  return withInt64(validate, part, schema, context, app)
}

function compileWith(compiler: AnyFunction, part: string, input: object): Compiled {
  const validate = compiler(input)
  if (!isPartValidate(validate)) throw new Error('the validator compiler must return a function')
  // Ajv marks validators of `$async` schemas. They resolve to the data, even if a custom compiler called Ajv.
  const custom = Reflect.get(validate, '$async') !== true
  const replaces = part !== 'incoming' && isAjvFunction(validate)
  return { validate: replaces ? withParentData(validate) : validate, uncoerced: null, custom, replaces }
}

/** JSON values already have types; the text of other bodies and parts is coerced. */
function compileWithLibrary(record: RouteRecord, part: string, schema: StandardSchema): Compiled {
  const { context, app } = record
  const { libraries } = app
  const { ofText, ofJson } = libraries.validators(schema, part, new RecordRef(record))
  const isJson = (part === 'body' || part === 'incoming') && ofText !== ofJson
  const json = part === 'querystring' ? libraries.jsonSchema(schema, 'input')?.schema : undefined
  const validate = json === undefined ? ofText : withDeepObjects(ofText, json, context)
  return { validate, uncoerced: isJson ? ofJson : null, custom: true, replaces: false }
}

function isPartValidate(value: unknown): value is PartValidateFunction {
  return isFunction(value)
}

type AjvFunction = PartValidateFunction & { readonly schemaEnv: object }

const isAjvFunction = (validate: PartValidateFunction): validate is AjvFunction => 'schemaEnv' in validate

/** Ajv replaces a value that is not an object only if it gets the value's parent. */
function withParentData(validate: PartValidateFunction): PartValidateFunction {
  return withErrorsOf(validate, (data, holder) =>
    holder === undefined
      ? validate(data)
      : Reflect.apply(validate, undefined, [data, { parentData: holder, parentDataProperty: 'value' }]),
  )
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
