/** Selects a back end for the reading of a schema, and guards the functions that it makes. */
import type { BuiltSerializer, SealedSerializer } from '../ahead/built.ts'
import { isStackOverflow } from '../nesting.ts'
import { isPrototypePolluted } from '../runtime/containers.ts'
import { publicError } from '../runtime/errors.ts'
import { NotProjectable } from '../runtime/projection.ts'
import { FAST_NATIVE_V8, v8Major } from '../runtime/v8.ts'
import type { SharedFunctions } from './emit/unit.ts'
import { writeCopy, writeText } from './nodes/closures.ts'
import type { SharedWriters } from './nodes/definitions.ts'
import type { Node } from './nodes/node.ts'
import { COSTLY_CALL_V8, selectBackEnd, TextSampler, type BackEnd } from './select.ts'

/** A compiled serializer. */
export type Serializer = (payload: unknown) => string

/** The functions of shared definitions that serializers with the same mode and options share. */
export interface SharedParts {
  readonly functions: SharedFunctions
  readonly texts: SharedWriters<string>
  readonly ownTexts: SharedWriters<string>
  readonly copies: SharedWriters<unknown>
}

/** How a serializer is made. */
export interface SerializerSettings {
  /** @default 'auto' */
  readonly backEnd?: BackEnd | 'auto' | undefined
  /**
   * Reads the schema again for rare cases, so that the nodes are not kept.
   * @default keeps them
   */
  readonly again?: (() => Node) | undefined
}

/** The parts of a serializer: the text of the value, and the text from a clean copy. */
export interface Makers {
  /** @param ownReads - reads own properties only; needed when `Object.prototype` is polluted */
  text(ownReads: boolean): Serializer
  copy(): Serializer
  /** The text of a value that is too deep for the others. */
  deepText?(): Serializer
}

/** Nothing shared yet. */
export function createSharedParts(): SharedParts {
  return { functions: new WeakMap(), texts: new WeakMap(), ownTexts: new WeakMap(), copies: new WeakMap() }
}

/** Makes a serializer of the functions of one back end. */
export function assemble(
  root: Node,
  { backEnd: chosen = 'auto', again = keeping(root) }: SerializerSettings,
  makersFor: (node: Node) => Makers,
): Serializer {
  const backEnd = chosen === 'auto' ? selectBackEnd(root, v8Major()) : chosen
  const textAgain = (ownReads: boolean): Serializer => makersFor(again()).text(ownReads)
  const makers = makersFor(root)
  const fast =
    backEnd === 'concat' ? makers.text(false) : projecting(makers.copy(), textAgain, chosen === 'auto')
  return guarded(fast, textAgain, () => makersFor(again()).deepText?.())
}

/** A function of its own: where a closure names the nodes, other closures of that function keep them in memory. */
function keeping(root: Node): () => Node {
  return () => root
}

/**
 * Makes a serializer of functions that were made ahead. What they cannot do is left to closures.
 *
 * @param again - reads the schema, in rare cases
 */
export function assembleBuilt(built: BuiltSerializer, again: () => Node, shared: SharedParts): Serializer {
  const ownText = (): Serializer => writeText(again(), true, shared.ownTexts)
  return assembleAhead(built, ownText, ownText)
}

/**
 * Makes a serializer of a sealed build.
 *
 * @param read - reads the schema for values that are too deep for code; undefined if no value is
 */
export function assembleSealed(sealed: SealedSerializer, read: () => Serializer | undefined): Serializer {
  const ownText = (): Serializer => {
    const own = sealed.own?.() ?? read()
    if (own === undefined) throw new TypeError('the table has no serializer of own properties')
    return own
  }
  return assembleAhead(sealed, ownText, read)
}

function assembleAhead(
  built: BuiltSerializer,
  ownText: () => Serializer,
  deepText: () => Serializer | undefined,
): Serializer {
  const textAgain = (ownReads: boolean): Serializer => (ownReads ? ownText() : built.text())
  const [onCostlyCalls, later] = built.copies
  const v8 = v8Major()
  const isCopied = v8 >= FAST_NATIVE_V8 && (v8 === COSTLY_CALL_V8 ? onCostlyCalls : later)
  const copy = isCopied ? built.copy?.() : undefined
  const fast = copy === undefined ? built.text() : projecting(copy, textAgain, true)
  return guarded(fast, textAgain, deepText)
}

/**
 * Reads only own properties while a library has polluted `Object.prototype`, and leaves values that are nested too
 * deeply for generated code to closures, whose use of the stack does not grow with the depth.
 */
function guarded(
  fast: Serializer,
  textAgain: Makers['text'],
  deepText: () => Serializer | undefined,
): Serializer {
  let own: Serializer | undefined
  let deep: Serializer | undefined
  const writeDeep = (payload: unknown, error: unknown): string => {
    deep ??= isStackOverflow(error) ? deepText() : undefined
    if (deep === undefined || !isStackOverflow(error)) throw publicError(error)
    try {
      return deep(payload)
    } catch (problem) {
      throw publicError(problem)
    }
  }
  return (payload) => {
    try {
      if (!isPrototypePolluted()) return fast(payload)
      own ??= textAgain(true)
      return own(payload)
    } catch (error) {
      return writeDeep(payload, error)
    }
  }
}

/**
 * The projecting back end, with the other one as a replacement: after a number that no JavaScript number can hold, or
 * after outputs that are mostly strings that it writes slowly.
 */
function projecting(project: Serializer, textAgain: Makers['text'], samples: boolean): Serializer {
  let sampler = samples ? new TextSampler() : undefined
  let text: Serializer | undefined
  const change = (): Serializer => (text ??= textAgain(false))
  return (payload) => {
    if (text !== undefined) return text(payload)
    try {
      const output = project(payload)
      if (sampler === undefined) return output
      if (sampler.add(output)) change()
      if (!sampler.isOpen) sampler = undefined
      return output
    } catch (error) {
      if (error instanceof NotProjectable) return change()(payload)
      throw error
    }
  }
}

/** A serializer as closures. */
export function interpretSerializer(
  root: Node,
  shared: SharedParts,
  settings: SerializerSettings = {},
): Serializer {
  return assemble(root, settings, (node) => ({
    text: (ownReads) => writeText(node, ownReads, ownReads ? shared.ownTexts : shared.texts),
    copy: () => writeCopy(node, shared.copies),
  }))
}
