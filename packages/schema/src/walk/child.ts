import { code, type Code } from '../codegen/code.ts'
import { REFUSED, type Coercer } from '../runtime/coerce.ts'
import { loopBlock, slotAt, type Block } from './code.ts'
import type { Frame, Mode } from './walk.ts'
import { fitsLeaf, type Leaf } from './leaf.ts'
import { EDIT, type Look } from './look.ts'
import type { SchemaNode } from './node.ts'
import type { Plan } from './plan.ts'
import type { Container, Value } from './value.ts'
import { YES, type Verdict } from './verdict.ts'

/** A schema for properties or items. Most of their values fit without a call, so that its node may never be made. */
export class Child {
  readonly leaf: Leaf
  readonly #owner: SchemaNode
  readonly #keyword: string
  readonly #key: string | number | undefined
  #node: SchemaNode | undefined = undefined
  /** What looks at its values. */
  #plan: Plan | undefined = undefined
  /** Makes something of scalars of another type. */
  #coerce: Coercer | undefined = undefined
  /** The last value to which it was applied did not fit. */
  #hasFailed: boolean = false

  /** @param key - its key below the keyword of its owner */
  constructor(owner: SchemaNode, keyword: string, key?: string | number) {
    this.leaf = owner.context.leafOf(owner.schemaAt(keyword, key))
    this.#owner = owner
    this.#keyword = keyword
    this.#key = key
  }

  get node(): SchemaNode {
    return (this.#node ??= this.#owner.child(this.#keyword, this.#key))
  }

  /** Its node, where values may come to it. */
  get below(): readonly SchemaNode[] {
    return this.leaf.isWhole ? [] : [this.node]
  }

  /** Looks at the value of a container. */
  fits(container: Readonly<Container>, key: string | number, look: Look): Verdict {
    const value = container[key]
    const { leaf } = this
    return fitsLeaf(leaf.kind, leaf, value) ? YES : this.look(value, look, container, key)
  }

  /** Looks at a value that does not fit without a call. */
  look(value: unknown, look: Look, container: unknown, key: string | number): Verdict {
    const plan = this.#plan ?? this.#read()
    if (typeof value !== 'object' && this.#coerces(value, look, container, key)) return YES
    return plan.isFunction
      ? plan.lookBehind(value, look, container, key)
      : plan.look(value, look, container, key)
  }

  /** Whether a scalar fits when it is coerced; notes the edit. */
  #coerces(value: unknown, look: Look, container: unknown, key: string | number): boolean {
    const { leaf } = this
    if (this.#coerce === undefined || look.use !== EDIT) return false
    const coerced = this.#coerce(value)
    if (coerced === REFUSED || !fitsLeaf(leaf.kind, leaf, coerced)) return false
    look.log.push(container, key, coerced)
    return true
  }

  #read(): Plan {
    const plan = this.node.plan.looked
    // With several types a value of the right one that is outside of its limits may be coerced to another.
    if (this.leaf.isWhole && plan.type?.only !== undefined) this.#coerce = plan.type.coerce
    return (this.#plan = plan)
  }

  /** Applies it to the value of a container. */
  applies(container: Container, key: string | number, value: Value, mode: Mode, frame: Frame): boolean {
    const { leaf } = this
    if (fitsLeaf(leaf.kind, leaf, container[key])) return true
    const { plan } = this.node
    // What has failed will fail again: a look that does not accept it would be in vain.
    if (!this.#hasFailed && plan.settles(container, key, mode, frame.walk)) return true
    const fits = plan.apply(value.entry(key), mode, frame)
    this.#hasFailed = !fits
    return fits
  }

  /** Writes the checks of `object[key]`, in a loop over keys or items. */
  emit(object: Code, key: Code, outer: Block): void {
    const block = loopBlock(outer)
    const value = block.writer.unique('v')
    const slot = slotAt(object, key)
    block.writer.line(code`var ${value} = ${slot.access}`)
    this.node.emit({ value, slot }, block)
  }
}
