import type { Ajv, KeywordCxt } from 'ajv'
import { loadAjv } from '../../dependencies.ts'
import { asksExact, typesOf, type ExactIntegers } from '../../document/json-types.ts'

/*
 * Ajv coerces the strings "Infinity" and "1e999" to a number, although its own check of a number only allows finite
 * ones, and then skips every limit: with `maximum: 100` a client could pass Infinity to a handler. This keyword
 * `type` adds code that checks the result of the coercion. With `strictNumbers: false` infinities are numbers, and
 * Ajv applies the limits itself.
 */

/**
 * Makes an Ajv instance reject strings with infinite numbers.
 *
 * @param exactIntegers - which integers it rejects, too, if they are not exact
 */
export function refuseInfinities(ajv: Ajv, exactIntegers: ExactIntegers): void {
  const { _, str } = loadAjv()
  ajv.removeKeyword('type')
  ajv.addKeyword({
    keyword: 'type',
    error: {
      message: ({ schema }) => str`must be ${String(schema)}`,
      params: ({ schemaValue }) => _`{type: ${schemaValue}}`,
    },
    code: (context) => emitCheck(context, exactIntegers),
  })
}

function emitCheck(context: KeywordCxt, exactIntegers: ExactIntegers): void {
  const { data, it, parentSchema } = context
  const { coerceTypes, strictNumbers } = it.opts
  const types = typesOf(parentSchema)
  const isNumeric = types.includes('number') || types.includes('integer')
  const { _ } = loadAjv()
  if (asksExact(parentSchema, exactIntegers) && types.includes('integer') && !types.includes('number')) {
    const isZero = _`(${data} === 0 && 1 / ${data} < 0)`
    context.fail(_`typeof ${data} == "number" && (!Number.isSafeInteger(${data}) || ${isZero})`)
  } else if (coerceTypes && strictNumbers && isNumeric)
    context.fail(_`typeof ${data} == "number" && !isFinite(${data})`)
}
