import { GAP } from './conversions.ts'
import { schemasIn } from './subschemas.ts'

/** A value in a library's schema that has no JSON Schema. */
export interface Gap {
  /** The JSON pointer of its schema, as in `/properties/from`. */
  readonly pointer: string
  /** What has no JSON Schema, as in `a transform`. */
  readonly reason: string
}

/** Finds the notes that the conversion of a library's schema has left. */
export function gapsIn(schema: Readonly<Record<string, unknown>>, pointer = ''): Gap[] {
  const { [GAP]: reason } = schema
  const below = Object.entries(schema).flatMap(([keyword, value]) =>
    schemasIn(keyword, value).flatMap(([key, one]) =>
      gapsIn(one, `${pointer}/${keyword}${key === null ? '' : `/${token(key)}`}`),
    ),
  )
  return typeof reason === 'string' ? [{ pointer, reason }, ...below] : below
}

/** A key in a JSON pointer (RFC 6901 section 3). */
function token(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
