/** From intermediate representation to a function. */
import { compileUnit } from '../../codegen/compile.ts'
import type { Node } from '../ir.ts'
import type { RefScope } from '../read/source.ts'
import { ConcatEmitter } from './concat.ts'
import type { PieceOptions } from './pieces.ts'
import { Unit } from './unit.ts'

/** Compiles the back end that builds the text piece by piece. */
export function compileConcat(
  root: Node,
  scope: RefScope,
  options: PieceOptions,
): (payload: unknown) => string {
  const unit = new Unit(scope, options)
  new ConcatEmitter(unit).emitRoot(root)
  return compileUnit<(payload: unknown) => string>(unit.writer)
}
