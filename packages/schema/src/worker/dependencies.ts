import formats from 'ajv-formats/dist/formats.js'
import * as uri from './uri.ts'

/* Bundlers include the formats in the file of the worker; these do not use Ajv, which generates code from strings. */

/** The formats of the baseline. */
export function loadFormats(): typeof formats {
  return formats
}

/** A URI resolver. */
export function loadFastUri(): typeof uri {
  return uri
}
