/** Compiles intermediate representation to a function, by one of the two back ends. */
import { compile } from '../../codegen/compile.ts'
import type { CompilationUnit, CompiledUnit } from '../../codegen/reference.ts'
import type { Node, SharedDefinition, SharedFunction } from '../ir.ts'
import { ConcatEmitter } from './concat/value.ts'
import type { SnippetOptions } from './snippets.ts'
import { ProjectEmitter } from './project.ts'
import { UnitBuilder, type CompileShared, type Emitter } from './unit.ts'
import { remember } from '../../remember.ts'

/** The compiled functions of shared definitions, by back end. */
export type SharedFunctions = WeakMap<SharedDefinition, Map<string, CompiledUnit<SharedFunction>>>

/** Writes the units of one serializer. */
export class UnitWriter {
  readonly #functions: SharedFunctions

  constructor(functions: SharedFunctions) {
    this.#functions = functions
  }

  /** Returns the unit of the back end that builds the text piece by piece. */
  concat(root: Node, options: SnippetOptions): CompilationUnit {
    const emitter = this.#concatEmitter(options)
    emitter.emitRoot(root)
    return emitter.unit.writer.toUnit()
  }

  /** Returns the unit of the back end that builds a clean copy for one native `JSON.stringify`. */
  project(root: Node, preallocates: boolean): CompilationUnit {
    const emitter = this.#projectEmitter(preallocates)
    emitter.emitRoot(root)
    return emitter.unit.writer.toUnit()
  }

  #concatEmitter(options: SnippetOptions): ConcatEmitter {
    const backEnd = options.ownReads ? 'text of own properties' : 'text'
    const shared: CompileShared = (definition) =>
      this.#sharedFunction(definition, backEnd, () => this.#concatEmitter(options))
    return new ConcatEmitter(new UnitBuilder(options, shared))
  }

  #projectEmitter(preallocates: boolean): ProjectEmitter {
    const shared: CompileShared = (definition) =>
      this.#sharedFunction(definition, 'copy', () => this.#projectEmitter(preallocates))
    return new ProjectEmitter(new UnitBuilder({ ownReads: false }, shared), preallocates)
  }

  /**
   * Returns the function of a shared definition for one back end; the first serializer that needs it compiles it.
   */
  #sharedFunction(
    definition: SharedDefinition,
    backEnd: string,
    emitterFor: () => Emitter,
  ): CompiledUnit<SharedFunction> {
    const byBackEnd = remember(
      this.#functions,
      definition,
      () => new Map<string, CompiledUnit<SharedFunction>>(),
    )
    return remember(byBackEnd, backEnd, () => {
      const emitter = emitterFor()
      emitter.emitShared(definition.node)
      return compile<SharedFunction>(emitter.unit.writer.toUnit())
    })
  }
}
