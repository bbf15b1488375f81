/** From intermediate representation to a function, by one of the two back ends. */
import { compileUnit } from '../../codegen/compile.ts'
import type { Node, SharedDefinition, SharedFunction } from '../ir.ts'
import { remember } from '../read/conjunction.ts'
import type { RefScope } from '../read/source.ts'
import { ConcatEmitter } from './concat/value.ts'
import type { PieceOptions } from './pieces.ts'
import { ProjectEmitter } from './project/value.ts'
import { Unit, type CompileShared } from './unit.ts'

type Compiled = (payload: unknown) => string

/** Compiles the back end that builds the text piece by piece. */
export function compileConcat(root: Node, scope: RefScope, options: PieceOptions): Compiled {
  const emitter = concatEmitter(scope, options)
  emitter.emitRoot(root)
  return compileUnit<Compiled>(emitter.unit.writer)
}

function concatEmitter(scope: RefScope, options: PieceOptions): ConcatEmitter {
  const backEnd = options.ownReads ? 'text of own properties' : 'text'
  const shared: CompileShared = (definition) =>
    sharedFunction(definition, backEnd, (inner) => concatEmitter(inner, options))
  return new ConcatEmitter(new Unit(scope, options, shared))
}

/** Compiles the back end that builds a clean copy for one native `JSON.stringify`. */
export function compileProject(root: Node, scope: RefScope, preallocates: boolean): Compiled {
  const emitter = projectEmitter(scope, preallocates)
  emitter.emitRoot(root)
  return compileUnit<Compiled>(emitter.unit.writer)
}

function projectEmitter(scope: RefScope, preallocates: boolean): ProjectEmitter {
  const shared: CompileShared = (definition) =>
    sharedFunction(definition, 'copy', (inner) => projectEmitter(inner, preallocates))
  return new ProjectEmitter(new Unit(scope, { ownReads: false }, shared), preallocates)
}

/** The function of a shared definition for one back end, compiled by the first who asks. */
function sharedFunction(
  { node, scope, functions }: SharedDefinition,
  backEnd: string,
  emitterFor: (scope: RefScope) => ConcatEmitter | ProjectEmitter,
): SharedFunction {
  return remember(functions, backEnd, () => {
    const emitter = emitterFor(scope)
    emitter.emitShared(node)
    return compileUnit<SharedFunction>(emitter.unit.writer)
  })
}
