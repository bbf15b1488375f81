/** Selects the faster back end, by measurements. */
import { ANY } from './nodes/any.ts'
import { BranchNode } from './nodes/branch.ts'
import { ChooseNode } from './nodes/choose.ts'
import type { Node } from './nodes/node.ts'
import { ObjectNode } from './nodes/object.ts'
import { RefNode } from './nodes/reference.ts'
import { StringNode } from './nodes/string.ts'
import { FAST_NATIVE_V8 } from '../runtime/v8.ts'

/** The two back ends. */
export type BackEnd = 'concat' | 'project'

/** V8 version on which the native back end is slower for small objects. */
export const COSTLY_CALL_V8 = 13
/** Up to this number of scalars an object counts as small. */
const FEW_SCALARS = 8

/**
 * Selects the back end for a schema. From V8 12 on it is the native one, except for recursion, dates, lists whose
 * objects have several shapes, names that JavaScript would put first and, on V8 13, small objects.
 */
export function selectBackEnd(root: Node, v8: number): BackEnd {
  if (v8 < FAST_NATIVE_V8) return 'concat'
  const { scalars, slow, isRecursive: recurs, isOpen, hasObject, hasIndexes } = traitsOf(root)
  if (recurs || hasIndexes || slow * 2 >= Math.max(scalars, 1)) return 'concat'
  return v8 === COSTLY_CALL_V8 && hasObject && !isOpen && scalars <= FEW_SCALARS ? 'concat' : 'project'
}

/** Whether a schema contains itself. */
export function isRecursive(root: Node): boolean {
  return traitsOf(root).isRecursive
}

interface Traits {
  scalars: number
  /** Scalars that string building writes faster: dates, and members of one of several shapes. */
  slow: number
  isRecursive: boolean
  /** The schema has untyped values or undeclared properties. */
  isOpen: boolean
  hasObject: boolean
  /** A property is named like an index of a list: in an object, it comes before the others, whatever the schema says. */
  hasIndexes: boolean
}

function traitsOf(root: Node): Traits {
  const traits: Traits = {
    scalars: 0,
    slow: 0,
    isRecursive: false,
    isOpen: false,
    hasObject: false,
    hasIndexes: false,
  }
  survey(root, traits, false)
  return traits
}

function survey(node: Node, traits: Traits, isAlternative: boolean): void {
  if (node instanceof RefNode) {
    if (node.target.isRecursive) traits.isRecursive = true
    else survey(node.target.node, traits, isAlternative)
    return
  }
  if (node instanceof ObjectNode) {
    traits.hasObject = true
    if (node.parts.properties.some(({ name }) => /^\d+$/.test(name))) traits.hasIndexes = true
  }
  if (node === ANY || (node instanceof ObjectNode && node.isOpen)) traits.isOpen = true
  const { children } = node
  const isDate = node instanceof StringNode && node.format !== 'plain'
  if (children.length === 0) {
    traits.scalars += 1
    if (isDate || isAlternative) traits.slow += 1
  }
  const hasShapes = node instanceof BranchNode && !(node instanceof ChooseNode)
  for (const child of children) survey(child, traits, isAlternative || hasShapes)
}

/** Number of outputs in a sample. */
const SAMPLE_SIZE = 32
/** Characters of one output that are sampled: a long list resembles its beginning. */
const SAMPLE_TEXT_LENGTH = 4096
/** Average distance of quotation marks above which strings are long. */
const LONG_STRING_LENGTH = 100

/**
 * Samples the first outputs of a serializer, to find those that are mostly long strings outside ASCII, which the
 * native back end escapes slowly.
 */
export class TextSampler {
  #left = SAMPLE_SIZE
  #length = 0
  #bytes = 0
  #quotes = 0

  /** Whether the sample needs more outputs. */
  get isOpen(): boolean {
    return this.#left > 0
  }

  /** Adds one output; returns true when the sample is complete and its strings are long and not ASCII. */
  add(output: string): boolean {
    const text = output.slice(0, SAMPLE_TEXT_LENGTH)
    this.#left -= 1
    this.#length += text.length
    this.#bytes += utf8Length(text)
    for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) this.#quotes += 1
    const isLong = this.#length > LONG_STRING_LENGTH * (this.#quotes + 1)
    return this.#left === 0 && isLong && this.#bytes > this.#length * 1.05
  }
}

/** The bytes of a text in UTF-8. Half of a surrogate pair counts as half of its four bytes. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= 0x80) bytes += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2
  }
  return bytes
}
