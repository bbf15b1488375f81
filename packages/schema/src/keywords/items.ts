import { setProperty } from '../runtime/replay.ts'
import { code } from '../codegen/code.ts'
import { tupleOf } from '../document/arrays.ts'
import { isObject } from '../guards.ts'
import { Child } from '../walk/child.ts'
import { emitAt, slotAt, type Block, type Target } from '../walk/code.ts'
import { FAILED, PASSED, type Frame, type Mode, type Outcome, type Walk } from '../walk/walk.ts'
import { fitsLeaf, TEST } from '../walk/leaf.ts'
import { ASK, YES, type Look, type Verdict } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Plan } from '../walk/plan.ts'
import type { Keyword, ListData, Part } from '../walk/part.ts'
import type { Container, Value } from '../walk/value.ts'
import { tupleEnd } from './limits.ts'

/** Coerces a scalar in one step, if the result surely matches: a list in a list in … with one item. */
type Wrap = (container: Container, index: number, mode: Mode, walk: Walk) => boolean

/**
 * Returns how a schema accepts scalars that coercion wraps in lists; null if it accepts none, or has other keywords for
 * lists.
 */
function wrapOf(outer: SchemaNode): Wrap | null {
  if (outer.context.settings.coercion !== 'array') return null
  let { plan } = outer
  let levels = 0
  for (let item = onlyItem(plan); item !== undefined; item = onlyItem(plan)) {
    plan = item.plan
    levels += 1
  }
  const { type, leaf } = plan
  // Without a type it accepts undefined, which coercion doesn't wrap.
  if (levels === 0 || type === undefined) return null
  return (container, index, mode, walk) => {
    const value = container[index]
    const holder: Container = { value }
    const fits = fitsLeaf(leaf.kind, leaf, value) || plan.settles(holder, 'value', mode, walk)
    if (fits) {
      for (let level = 0; level < levels; level++) holder['value'] = [holder['value']]
      setProperty(container, index, holder['value'])
    }
    return fits
  }
}

/** The schema of the item, if a schema demands nothing else of a list with one item. */
function onlyItem({ type, general, groups }: Plan): SchemaNode | undefined {
  if (type?.only !== 'array' || general.length > 0) return undefined
  const group = groups.find(({ kind }) => kind === 'array')
  const parts = group?.parts.filter(({ admitsOne }) => admitsOne !== true)
  return parts?.length === 1 ? parts[0]?.eachItem : undefined
}

/** The schema of all items from a position on. */
export class ItemsPart implements Part<ListData> {
  readonly #start: number
  readonly #child: Child
  /** Walks wrap scalars in lists; looks leave them to walks. Undefined: not yet computed; null: none. */
  #wrap: Wrap | null | undefined = undefined

  constructor(child: Child, start: number) {
    this.#child = child
    this.#start = start
  }

  get below(): readonly SchemaNode[] {
    return this.#child.below
  }

  get eachItem(): SchemaNode | undefined {
    return this.#start === 0 ? this.#child.node : undefined
  }

  fits(list: ListData, look: Look): Verdict {
    const child = this.#child
    const { leaf } = child
    const { kind } = leaf
    const isLeft = this.#findWrap() !== null
    for (let index = this.#start; index < list.length; index++) {
      const value = list[index]
      if (fitsLeaf(kind, leaf, value)) continue
      if (isLeft && !isObject(value)) return ASK
      const verdict = child.look(value, look, list, index)
      if (verdict !== YES) return verdict
    }
    return YES
  }

  #findWrap(): Wrap | null {
    if (this.#wrap === undefined) {
      this.#wrap = this.#child.leaf.isWhole && !this.#child.leaf.isOfList ? null : wrapOf(this.#child.node)
    }
    return this.#wrap
  }

  apply(list: ListData, value: Value, mode: Mode, frame: Frame): Outcome {
    const container = value.object
    const wrap = this.#findWrap()
    const { length } = list
    let outcome: Outcome = PASSED
    for (let index = this.#start; index < length; index++) {
      const isWrapped = wrap !== null && !isObject(list[index])
      if (isWrapped && wrap(container, index, mode, frame.walk)) continue
      if (this.#child.applies(container, index, value, mode, frame)) continue
      outcome = FAILED
      if (!mode.isThorough) break
    }
    return outcome
  }

  emit({ value }: Target, block: Block): void {
    const { writer } = block
    const index = writer.unique('i')
    const isLeft = this.#findWrap() !== null
    writer.block(code`for (var ${index} = ${this.#start}; ${index} < ${value}.length; ${index}++)`, () => {
      if (isLeft) writer.line(code`if (typeof ${value}[${index}] !== 'object') ${block.defer}`)
      emitAt(this.#child.node, slotAt(value, index), block)
    })
  }
}

/** The items after a tuple, or all items: `additionalItems`, and `items` as a schema. */
function restOf(node: SchemaNode, keyword: string): ReturnType<Keyword<ListData>['read']> {
  const { schemas, rest } = tupleOf(node.schema, node.location.document.dialect)
  const limit = schemas.length
  if (rest !== keyword || node.isOpen(rest)) return undefined
  if (limit > 0 && node.schema[rest] === false) return tupleEnd(node, rest, limit)
  return new ItemsPart(new Child(node, rest), limit)
}

/** The keyword `additionalItems` of draft-07. It has no effect unless `items` is a list. */
export const additionalItems: Keyword<ListData> = {
  names: ['additionalItems'],
  read: (node) => restOf(node, 'additionalItems'),
}

/** The keyword `items` as a schema. */
export const items: Keyword<ListData> = {
  names: ['items'],
  read: (node) => restOf(node, 'items'),
  narrow(leaf, schema, leafOf) {
    const item = leafOf(schema)
    leaf.item = item
    return leaf.kind === TEST.list && item.isWhole && !item.isOfList
  },
}
