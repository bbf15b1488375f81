import { dependencies, type FormParser } from '../../dependencies.ts'
import { createError } from '../../errors.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { FormRules } from './form-rules.ts'

/** The most parts of a form. */
export const MAX_PARTS = 1000
/** Limits of the header of a part; usual ones have two fields. */
const HEADER = { headerPairs: 32, headerSize: 16_384 }

/**
 * Makes the parser of one form.
 *
 * @param limit - the most bytes of a field
 * @throws `CLO_ERR_FORM_INVALID` without a boundary in the content type
 */
export function createFormParser(
  { files, objects }: FormRules,
  limit: number,
  exchange: Pick<Exchange, 'header' | 'endConnection'>,
): FormParser {
  const Busboy = dependencies.busboy()
  try {
    return new Busboy({
      headers: { 'content-type': exchange.header('content-type') ?? '' },
      // Browsers send JSON with a type as a file.
      isPartAFile: (name, type, filename) =>
        files.has(String(name)) ||
        (filename !== undefined && !(type === 'application/json' && objects.has(String(name)))),
      limits: { fieldSize: limit, parts: MAX_PARTS, ...HEADER },
    })
  } catch {
    exchange.endConnection()
    throw invalid('its Content-Type has no boundary')
  }
}

/** A form that does not fit its schema. */
export function invalid(reason: string): Error {
  return createError('FORM_INVALID', { reason })
}

/** A form that is above a limit. */
export function tooLarge(reason: string): Error {
  return createError('FORM_TOO_LARGE', { reason })
}
