/** From intermediate representation to a function, by one of the two back ends. */
import { compileUnit } from '../../codegen/compile.ts'
import type { Node, SharedDefinition, SharedFunction } from '../ir.ts'
import { remember } from '../read/conjunction.ts'
import type { RefScope } from '../read/source.ts'
import { ConcatEmitter } from './concat.ts'
import type { PieceOptions } from './pieces.ts'
import { ProjectEmitter } from './project.ts'
import { Unit } from './unit.ts'

type Compiled = (payload: unknown) => string

/** Compiles the back end that builds the text piece by piece. */
export function compileConcat(root: Node, scope: RefScope, options: PieceOptions): Compiled {
  const emitter = concatEmitter(scope, options)
  emitter.emitRoot(root)
  return compileUnit<Compiled>(emitter.unit.writer)
}

function concatEmitter(scope: RefScope, options: PieceOptions): ConcatEmitter {
  return new ConcatEmitter(new Unit(scope, options, (definition) => sharedText(definition, options)))
}

function sharedText({ node, scope, functions }: SharedDefinition, options: PieceOptions): SharedFunction {
  return remember(functions, options.ownReads ? 'text of own properties' : 'text', () => {
    const emitter = concatEmitter(scope, options)
    emitter.emitShared(node)
    return compileUnit<SharedFunction>(emitter.unit.writer)
  })
}

/** Compiles the back end that builds a clean copy for one native `JSON.stringify`. */
export function compileProject(root: Node, scope: RefScope, preallocates: boolean): Compiled {
  const emitter = projectEmitter(scope, preallocates)
  emitter.emitRoot(root)
  return compileUnit<Compiled>(emitter.unit.writer)
}

function projectEmitter(scope: RefScope, preallocates: boolean): ProjectEmitter {
  const shared = (definition: SharedDefinition): SharedFunction => sharedCopy(definition, preallocates)
  return new ProjectEmitter(new Unit(scope, { ownReads: false }, shared), preallocates)
}

function sharedCopy({ node, scope, functions }: SharedDefinition, preallocates: boolean): SharedFunction {
  return remember(functions, 'copy', () => {
    const emitter = projectEmitter(scope, preallocates)
    emitter.emitShared(node)
    return compileUnit<SharedFunction>(emitter.unit.writer)
  })
}
