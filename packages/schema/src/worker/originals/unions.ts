import { UNIONS } from '../../keywords/unions.ts'
import { narrowUnionErrors } from '../../validator/union-errors.ts'
import type { SchemaNode } from '../../walk/node.ts'
import type { Keyword } from '../../walk/part.ts'

/** Reads the union with this index in the table. */
export function readUnion(index: number, node: SchemaNode): ReturnType<Keyword['read']> {
  return UNIONS[index]?.read(node)
}

/** See `union-errors.ts`. */
export function narrowErrors(
  ...given: Parameters<typeof narrowUnionErrors>
): ReturnType<typeof narrowUnionErrors> {
  return narrowUnionErrors(...given)
}
