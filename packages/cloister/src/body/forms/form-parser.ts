import { dependencies, type FormParser } from '../../dependencies.ts'
import { createError, type CloisterError } from '../../errors.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { FormRules } from './form-rules.ts'
import { MAX_FIELDS, MAX_HEAD } from './part-head.ts'

/** The most parts of a form. */
export const MAX_PARTS = 1000
/** The parser drops what is beyond; `PartHeads` refuses it before. */
const HEADER = { headerPairs: MAX_FIELDS, headerSize: MAX_HEAD + 4 }

/**
 * Creates the parser of one form.
 *
 * @param limit - the most bytes of a field
 * @throws `CLO_ERR_FORM_INVALID` if the content type has no boundary
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
      // Browsers send JSON with a content type as a file.
      isPartAFile: (name, type, filename) =>
        files.get(String(name))?.isTextToo === false ||
        (filename !== undefined && !(type === 'application/json' && objects.has(String(name)))),
      limits: { fieldSize: limit, parts: MAX_PARTS, ...HEADER },
    })
  } catch {
    exchange.endConnection()
    throw invalid('its Content-Type has no boundary')
  }
}

export function invalid(reason: string): CloisterError {
  return createError('FORM_INVALID', { reason })
}

export function tooLarge(reason: string): Error {
  return createError('FORM_TOO_LARGE', { reason })
}
