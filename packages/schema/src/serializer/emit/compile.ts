/** From intermediate representation to a function, by one of the two back ends. */
import { compileUnit } from '../../codegen/compile.ts'
import type { Node } from '../ir.ts'
import type { RefScope } from '../read/source.ts'
import { ConcatEmitter } from './concat.ts'
import type { PieceOptions } from './pieces.ts'
import { ProjectEmitter } from './project.ts'
import { Unit } from './unit.ts'

type Compiled = (payload: unknown) => string

/** Compiles the back end that builds the text piece by piece. */
export function compileConcat(root: Node, scope: RefScope, options: PieceOptions): Compiled {
  const unit = new Unit(scope, options)
  new ConcatEmitter(unit).emitRoot(root)
  return compileUnit<Compiled>(unit.writer)
}

/** Compiles the back end that builds a clean copy for one native `JSON.stringify`. */
export function compileProject(root: Node, scope: RefScope, preallocates: boolean): Compiled {
  const unit = new Unit(scope, { ownReads: false })
  new ProjectEmitter(unit, preallocates).emitRoot(root)
  return compileUnit<Compiled>(unit.writer)
}
