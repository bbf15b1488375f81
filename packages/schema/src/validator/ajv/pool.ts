import type { Ajv, Options, ValidateFunction as AjvFunction } from 'ajv'
import type { AddedFormat, FormatDefinition, RegExpEngine } from 'ajv/dist/types/index.js'
import { compileExpression } from '../../regexp/compile.ts'
import type { SchemaClosure } from '../../store/closure.ts'
import { SchemaError } from '../../errors.ts'
import { isObject, isSchemaObject } from '../../guards.ts'
import { remember } from '../../remember.ts'
import type { SchemaContent } from '../../store/keys.ts'
import { loadAjv, loadAjv2020, loadAjvFormats, loadAjvJtd, loadFormats } from '../../dependencies.ts'
import type { ExactIntegers } from '../../document/json-types.ts'
import { dialectOf, isMetaSchema, type Dialect } from '../../document/dialect.ts'
import type { AjvSettings } from '../../options.ts'
import { resolveUri, type SchemaLocation, twinUri } from '../../document/location.ts'
import { refuseInfinities } from './finite.ts'
import { guardFormats, guardKeywords } from './sync-functions.ts'
import { makeUniqueItemsLinear } from './unique-items.ts'
import { isUrl } from '../../runtime/formats.ts'
import { isExtensionKeyword } from '../../document/vocabulary.ts'
import { ADDED_KEYWORDS } from '../../document/schema-rules.ts'
import { baselineAjvOptions } from '../policy.ts'

/*
 * Ajv decides where no code of the engine does, and writes the errors. One instance serves all schemas that reach
 * the same shared schemas. A schema with its own `$id` gets a separate instance, so that the same `$id` may name
 * different schemas in different routes. Every schema is registered under a private key, so that `#` and `<own id>#`
 * resolve although `addUsedSchema` is off.
 */

const PRIVATE_KEY = 'cloister-schema-'

/** A schema compiled by Ajv. */
export interface CompiledSchema {
  readonly validate: AjvFunction
  /** Returns the function of an inner schema, by the `schemaPath` of an error; undefined if there is none. */
  part(schemaPath: string): AjvFunction | undefined
}

/** Creates Ajv instances and compiles schemas with them; one per engine. */
export class AjvPool {
  /** Whether there is an Ajv that compiles; builds for platforms that forbid code generation from strings have none. */
  readonly isAvailable: boolean = true
  readonly #settings: AjvSettings
  readonly #isChecked: boolean
  readonly #dialect: Dialect
  readonly #exactIntegers: ExactIntegers
  readonly #instances: Map<string, Ajv> = new Map()
  readonly #compiled: Map<string, CompiledSchema> = new Map()

  /**
   * @param isChecked - whether schemas have passed a check as strict as Ajv's own
   * @param dialect - the dialect of schemas without `$schema`
   * @param exactIntegers - which integers must be safe ones
   */
  constructor(
    settings: AjvSettings = {},
    isChecked: boolean = false,
    dialect: Dialect = 'draft-07',
    exactIntegers: ExactIntegers = false,
  ) {
    this.#settings = settings
    this.#isChecked = isChecked
    this.#dialect = dialect
    this.#exactIntegers = exactIntegers
  }

  /**
   * Returns the Ajv function of a schema.
   * @throws {@link SchemaError} `SCHEMA_INVALID` with Ajv's message
   */
  compile(content: SchemaContent, root: SchemaLocation, closure: SchemaClosure): CompiledSchema {
    const key = `${content.key}|${closure.key}`
    return remember(this.#compiled, key, () => this.#build(content, root, closure))
  }

  #build(content: SchemaContent, root: SchemaLocation, closure: SchemaClosure): CompiledSchema {
    const shared = closure.entries.find((entry) => entry.id === rootId(content.schema))
    if (shared !== undefined && shared.content !== content) {
      throw new SchemaError({
        code: 'ID_DUPLICATE',
        schemaId: shared.id,
        reason: `the schema has the "$id" of a shared schema that it also refers to; give one of them another "$id"`,
      })
    }
    const { dialect } = root.document
    for (const { id, snapshot } of closure.entries) {
      if (dialectOf(snapshot, this.#dialect) !== dialect) throw mixed(id, dialect)
    }
    const hasNames = root.base !== '' || root.document.named.size > 0
    const contents = [content, ...closure.entries.map((entry) => entry.content)]
    const isChecked = this.#isChecked && !mayReferToMetaSchema(contents, dialect)
    const ajv = this.#instance(hasNames ? content.key : '', closure, isChecked, dialect)
    const key = shared?.id ?? `${PRIVATE_KEY}${content.key}`
    try {
      allowExtensions(ajv, content.schema)
      if (shared === undefined) ajv.addSchema(asAjvSchema(content.schema), key)
      const validate = ajv.getSchema(key)
      if (validate === undefined) throw new Error('the schema cannot be found under its own key')
      return { validate, part: (schemaPath) => compilePart(ajv, key, schemaPath) }
    } catch (error) {
      throw ajvComplaint(error)
    }
  }

  #instance(owner: string, closure: SchemaClosure, isChecked: boolean, dialect: Dialect): Ajv {
    const key = `${owner}|${closure.key}|${isChecked}|${dialect}`
    return remember(this.#instances, key, () => {
      const ids = new Set(closure.entries.map(({ id }) => id))
      const ajv = createAjv(this.#settings, isChecked, ids, dialect, this.#exactIntegers)
      try {
        for (const { snapshot } of closure.entries) {
          allowExtensions(ajv, snapshot)
          ajv.addSchema(asAjvSchema(snapshot))
        }
      } catch (error) {
        throw ajvComplaint(error)
      }
      return ajv
    })
  }
}

/** Ajv compiles its meta-schema leniently only if it validates schemas with it. */
function mayReferToMetaSchema(contents: readonly SchemaContent[], dialect: Dialect): boolean {
  return contents.some(({ pure, refs }) => !pure || refs.some((ref) => isMetaSchema(ref, dialect)))
}

function mixed(id: string, dialect: Dialect): SchemaError {
  return new SchemaError({
    code: 'SCHEMA_INVALID',
    reason: `the schema is of ${dialect} and refers to "${id}", which is not. Ajv has to decide about it and reads one dialect at a time; write both in one, or leave out what only Ajv decides`,
  })
}

function compilePart(ajv: Ajv, rootKey: string, schemaPath: string): AjvFunction | undefined {
  try {
    return ajv.getSchema(schemaPath.startsWith('#') ? rootKey + schemaPath : schemaPath)
  } catch {
    return undefined
  }
}

/** Creates an instance with the baseline, the application's settings and the usual formats. */
function createAjv(
  settings: AjvSettings,
  isChecked: boolean,
  sharedIds: ReadonlySet<string>,
  dialect: Dialect,
  exactIntegers: ExactIntegers,
): Ajv {
  const { customOptions = {}, plugins = [], onCreate, mode } = settings
  const options: Options = {
    ...baselineAjvOptions,
    uriResolver: createUriResolver(sharedIds),
    logger: false,
    // With validation, each instance would compile the meta-schema again.
    validateSchema: !isChecked,
    ...customOptions,
    ...(customOptions.formats === undefined ? {} : { formats: guardFormats(customOptions.formats) }),
    // Ajv's optimizer doubles the compilation time, and the result is not faster.
    code: { optimize: false, ...(customOptions.$data === true ? {} : { regExp }), ...customOptions.code },
  }
  const ajv = new (mode === 'JTD' ? loadAjvJtd().default : classOf(dialect))(options)
  if (mode !== 'JTD') {
    makeUniqueItemsLinear(ajv)
    refuseInfinities(ajv, exactIntegers)
  }
  let addFormats = true
  for (const entry of plugins) {
    const [plugin, pluginOptions] = typeof entry === 'function' ? [entry, undefined] : entry
    addFormats &&= plugin.name !== 'formatsPlugin'
    Reflect.apply(plugin, undefined, pluginOptions === undefined ? [ajv] : [ajv, pluginOptions])
  }
  if (addFormats) addBaselineFormats(ajv)
  onCreate?.(ajv)
  guardKeywords(ajv)
  compileFormats(ajv)
  allowKeywords(ajv, ADDED_KEYWORDS)
  return ajv
}

/** How Ajv compiles the expressions of schemas. Those in data are not analysed, since that takes too long. */
const regExp: RegExpEngine = Object.assign(
  (source: string, flags: string) => compileExpression(source, flags),
  { code: 'compileExpression' },
)

/** Compiles the expressions of formats that the application has added. */
function compileFormats(ajv: Ajv): void {
  const known = new Set<unknown>(Object.values(loadFormats().fullFormats))
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format === undefined || known.has(format)) continue
    if (format instanceof RegExp) ajv.formats[name] = testOf(format)
    else if (isDefinition(format)) ajv.formats[name] = { ...format, validate: testOf(format.validate) }
  }
}

function isDefinition(
  format: AddedFormat,
): format is FormatDefinition<string> & { readonly validate: RegExp } {
  return typeof format === 'object' && 'validate' in format && format.validate instanceof RegExp
}

function testOf(native: RegExp): RegExp | ((text: string) => boolean) {
  const expression = compileExpression(native.source, native.flags)
  return expression instanceof RegExp ? native : (text) => expression.test(text)
}

function classOf(dialect: Dialect): new (options: Options) => Ajv {
  return dialect === '2020-12' ? loadAjv2020().default : loadAjv().Ajv
}

/** Adds the usual formats; replaces `url` with an equivalent test in linear time. */
function addBaselineFormats(ajv: Ajv): void {
  const before = ajv.formats['url']
  loadAjvFormats().default(ajv)
  ajv.addFormat('url', before ?? isUrl)
}

function allowKeywords(ajv: Ajv, keywords: Iterable<string>): void {
  for (const keyword of keywords) {
    if (!ajv.RULES.keywords[keyword]) ajv.addKeyword(keyword)
  }
}

function allowExtensions(ajv: Ajv, schema: unknown): void {
  const found = new Set<string>()
  collectExtensions(schema, found, new Set())
  allowKeywords(ajv, found)
}

function collectExtensions(schema: unknown, found: Set<string>, seen: Set<unknown>): void {
  if (!isObject(schema) || seen.has(schema)) return
  seen.add(schema)
  for (const [key, value] of Object.entries(schema)) {
    if (isExtensionKeyword(key) && /^[\w$:-]+$/.test(key)) found.add(key)
    collectExtensions(value, found, seen)
  }
}

/** Creates Ajv's `uriResolver` from the engine's own reference rules, so that both resolve to the same target. */
function createUriResolver(sharedIds: ReadonlySet<string>): NonNullable<Options['uriResolver']> {
  return {
    parse(uri) {
      const hash = uri.indexOf('#')
      return hash === -1 ? { path: uri } : { path: uri.slice(0, hash), fragment: uri.slice(hash + 1) }
    },
    // Ajv removes the fragment.
    serialize: ({ path = '' }) => path,
    resolve(base, ref) {
      if (ref.startsWith('#') && sharedIds.has(ref)) return ref
      const uri = resolveUri(base, ref)
      const [written = ''] = ref.split('#', 1)
      const [resource = ''] = uri.split('#', 1)
      const twin = twinUri(resource)
      if (twin !== undefined && !sharedIds.has(resource) && sharedIds.has(twin)) {
        return twin + uri.slice(resource.length)
      }
      return written !== '' && !sharedIds.has(resource) && sharedIds.has(written) ? ref : uri
    },
  }
}

function rootId(schema: unknown): string | undefined {
  const id = isSchemaObject(schema) ? schema['$id'] : undefined
  return typeof id === 'string' ? id : undefined
}

function asAjvSchema(schema: unknown): Record<string, unknown> | boolean {
  if (typeof schema === 'boolean' || isSchemaObject(schema)) return schema
  throw new SchemaError({
    code: 'SCHEMA_INVALID',
    reason: `a schema is an object or a boolean, not ${describe(schema)}`,
  })
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}

function ajvComplaint(error: unknown): SchemaError {
  if (error instanceof SchemaError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new SchemaError({ code: 'SCHEMA_INVALID', reason, cause: error })
}
