/** The entry: read the schema, choose a back end, make its functions, guard them. */
import { compile } from '../codegen/compile.ts'
import { isPrototypePolluted } from '../runtime/containers.ts'
import { publicError } from '../runtime/errors.ts'
import { NotProjectable } from '../runtime/projection.ts'
import { FAST_NATIVE_V8, v8Major } from '../runtime/v8.ts'
import { UnitWriter, type SharedFunctions } from './emit/compile.ts'
import { CopyInterpreter } from './interpret/copy/copy.ts'
import type { SharedWriters } from './interpret/definitions.ts'
import { TextInterpreter } from './interpret/text/text.ts'
import type { ReadOptions } from './interpret/writer.ts'
import type { Node } from './ir.ts'
import { selectBackEnd, TextSampler, type BackEnd } from './select.ts'

/** A compiled serializer. */
export type Serializer = (payload: unknown) => string

/** The functions of shared definitions that serializers with the same mode and options share. */
export interface SharedParts {
  readonly functions: SharedFunctions
  readonly texts: SharedWriters<string>
  readonly ownTexts: SharedWriters<string>
  readonly copies: SharedWriters<unknown>
}

/** What a serializer is made of: the text of the value, and the text by way of a clean copy. */
interface Makers {
  text(options: ReadOptions): Serializer
  copy(): Serializer
}

/** Nothing shared yet. */
export function createSharedParts(): SharedParts {
  return { functions: new WeakMap(), texts: new WeakMap(), ownTexts: new WeakMap(), copies: new WeakMap() }
}

/** A serializer as generated code. */
export function compileSerializer(
  root: Node,
  shared: SharedParts,
  backEnd: BackEnd | 'auto' = 'auto',
): Serializer {
  const writer = new UnitWriter(shared.functions)
  const makers: Makers = {
    text: (options) => compile<Serializer>(writer.concat(root, options)).value,
    copy: () => compile<Serializer>(writer.project(root, v8Major() >= FAST_NATIVE_V8)).value,
  }
  return assemble(makers, root, backEnd)
}

/** A serializer as closures. */
export function interpretSerializer(
  root: Node,
  shared: SharedParts,
  backEnd: BackEnd | 'auto' = 'auto',
): Serializer {
  const makers: Makers = {
    text: (options) =>
      new TextInterpreter(options, options.ownReads ? shared.ownTexts : shared.texts).root(root),
    copy: () => new CopyInterpreter(shared.copies).root(root),
  }
  return assemble(makers, root, backEnd)
}

function assemble(makers: Makers, root: Node, chosen: BackEnd | 'auto'): Serializer {
  const backEnd = chosen === 'auto' ? selectBackEnd(root, v8Major()) : chosen
  const fast = backEnd === 'concat' ? makers.text({ ownReads: false }) : projecting(makers, chosen === 'auto')
  let guarded: Serializer | undefined
  return (payload) => {
    try {
      if (!isPrototypePolluted()) return fast(payload)
      guarded ??= makers.text({ ownReads: true })
      return guarded(payload)
    } catch (error) {
      throw publicError(error)
    }
  }
}

/**
 * The projecting back end, with the other one as a replacement: after a number that no JavaScript number can hold, or
 * after outputs that are mostly strings that it writes slowly.
 */
function projecting(makers: Makers, samples: boolean): Serializer {
  const project = makers.copy()
  const sampler = samples ? new TextSampler() : undefined
  let text: Serializer | undefined
  const change = (): Serializer => (text ??= makers.text({ ownReads: false }))
  return (payload) => {
    if (text !== undefined) return text(payload)
    try {
      const output = project(payload)
      if (sampler?.isOpen === true && sampler.add(output)) change()
      return output
    } catch (error) {
      if (error instanceof NotProjectable) return change()(payload)
      throw error
    }
  }
}
