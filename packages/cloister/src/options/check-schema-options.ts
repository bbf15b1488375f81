import { createError } from '../errors.ts'
import { isFunction, isRecord, recordOf, typeName, type Dictionary } from '../guards.ts'
import { nearestName } from '../suggest.ts'
import { refuseOptions } from './option-row.ts'

const AJV_OPTIONS: readonly string[] = ['customOptions', 'plugins', 'onCreate', 'mode']

/** Options of Ajv. `format` is a former one that older configurations still contain. */
const AJV_CUSTOM_OPTIONS: readonly string[] = (
  'strict strictSchema strictNumbers strictTypes strictTuples strictRequired allowMatchingProperties ' +
  'allowUnionTypes validateFormats $data allErrors verbose discriminator unicodeRegExp timestamp ' +
  'parseDate allowDate specialNumbers $comment format formats keywords schemas logger loadSchema ' +
  'removeAdditional useDefaults coerceTypes next unevaluated dynamicRef schemaId jtd meta defaultMeta ' +
  'validateSchema addUsedSchema inlineRefs passContext loopRequired loopEnum ownProperties ' +
  'multipleOfPrecision int32range messages code uriResolver ignoreKeywordsWithRef jsPropertySyntax ' +
  'unicode'
).split(' ')

/** Options of Ajv that take a boolean or one of these words. */
const AJV_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['removeAdditional', ['all', 'failing']],
  ['useDefaults', ['empty']],
  ['coerceTypes', ['array']],
])

/** Ajv ignores unknown options and treats any string as `true`. */
function checkCustomOptions(given: Dictionary): void {
  for (const [name, value] of Object.entries(given)) {
    const hint = AJV_CUSTOM_OPTIONS.includes(name) ? '' : nearestName(name, AJV_CUSTOM_OPTIONS, 2)
    if (hint !== '') refuseOptions(`ajv.customOptions has no option '${name}'${hint}`)
    const words = AJV_WORDS.get(name)
    if (words === undefined || value == null || typeof value === 'boolean') continue
    if (typeof value !== 'string' || !words.includes(value)) {
      const choice = words.map((word) => JSON.stringify(word)).join(' or ')
      refuseOptions(
        `'ajv.customOptions.${name}' must be true, false or ${choice}, got ${JSON.stringify(value)}`,
      )
    }
  }
}

/**
 * Checks the options of Ajv, and those of a schema controller.
 *
 * @throws `CLO_ERR_INIT_OPTS_INVALID`, `CLO_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ` and related errors
 */
export function checkSchemaOptions({ ajv: given, schemaController }: Dictionary): void {
  const ajv = recordOf(given)
  const { customOptions, plugins } = ajv
  // Compilers of the application may take other options.
  const isForAjv = schemaController == null
  const unknown = Object.keys(ajv).find((name) => !AJV_OPTIONS.includes(name))
  if (unknown !== undefined && isForAjv) {
    refuseOptions(`ajv has no option '${unknown}'${nearestName(unknown, AJV_OPTIONS)}`)
  }
  if (customOptions !== undefined && !isRecord(customOptions)) {
    throw createError('AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ', { type: typeName(customOptions) })
  }
  if (isForAjv) checkCustomOptions(recordOf(customOptions))
  if (plugins !== undefined && !Array.isArray(plugins)) {
    throw createError('AJV_CUSTOM_OPTIONS_OPT_NOT_ARR', { type: typeName(plugins) })
  }
  const { bucket } = recordOf(schemaController)
  if (bucket !== undefined && !isFunction(bucket)) {
    throw createError('SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN', { type: typeName(bucket) })
  }
}
