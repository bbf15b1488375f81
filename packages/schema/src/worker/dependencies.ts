import formats from 'ajv-formats/dist/formats.js'
import * as uri from './uri.ts'

/* Bundlers put the formats into the file of the worker; they use nothing of Ajv, which makes code of text. */

/** The formats of the baseline. */
export function loadFormats(): typeof formats {
  return formats
}

/** A URI resolver. */
export function loadFastUri(): typeof uri {
  return uri
}
