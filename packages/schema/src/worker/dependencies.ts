import { isKnownFormat } from '../document/known-keywords.ts'
import { formatOf } from './originals/formats.ts'
import * as uri from './uri.ts'

/** The formats that need no feature. */
const OWN_FORMATS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['int32', number((value) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31)],
  ['int64', number((value) => Number.isInteger(value))],
  ['float', number(() => true)],
  ['double', number(() => true)],
  ['password', true],
  ['binary', true],
])

function number(validate: (value: number) => boolean): object {
  return { type: 'number', validate }
}

/** See `dependencies.ts`. */
export function loadFormat(name: string): unknown {
  return OWN_FORMATS.get(name) ?? (isKnownFormat(name) ? formatOf(name) : undefined)
}

/** A URI resolver. */
export function loadFastUri(): typeof uri {
  return uri
}
