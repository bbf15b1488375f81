import type { SchemaLocation } from '../document/location.ts'
import { pointerOf, pointerToken } from '../document/pointer.ts'
import type { Path } from '../document/subschemas.ts'
import { SchemaError } from '../errors.ts'

/** The position of a check: a document, and the path from the location where it was entered. */
export interface Position {
  readonly entry: SchemaLocation
  readonly path: Path
}

/** Returns the JSON pointer of a position in its document. */
export function pointerAt({ entry, path }: Position): string {
  return entry.pointer + pointerOf(path)
}

/** Creates the error about a keyword. */
export function complaint(
  position: Position,
  keyword: string,
  reason: string,
  nearest: readonly string[] = [],
): SchemaError {
  return new SchemaError({
    code: 'SCHEMA_INVALID',
    reason: `"${keyword}" ${reason}`,
    pointer: `${pointerAt(position)}/${pointerToken(keyword)}`,
    schemaId: position.entry.document.sharedId,
    nearest,
  })
}
