import { NOTHING } from '../guards.ts'
import { REFUSED } from '../runtime/coerce.ts'
import type { Frame, Mode } from './walk.ts'
import { fitsLeaf, TEST, type Leaf } from './leaf.ts'
import { EDIT, YES, type Look, type Verdict } from './look.ts'
import type { SchemaNode } from './node.ts'
import type { Plan } from './plan.ts'
import type { Container, Value } from './value.ts'

/** A schema for properties or items. Most values match without a call, so its node may never be created. */
export class Child {
  readonly leaf: Leaf
  readonly #owner: SchemaNode
  readonly #keyword: string
  readonly #key: string | undefined
  #node: SchemaNode | undefined = undefined
  /** The plan that looks at its values. */
  #plan: Plan | undefined = undefined

  /** @param key - its key below the keyword of its owner; undefined where the keyword has one schema */
  constructor(owner: SchemaNode, keyword: string, key?: string) {
    this.leaf = owner.context.leafOf(owner.schemaAt(keyword, key))
    this.#owner = owner
    this.#keyword = keyword
    this.#key = key
  }

  get node(): SchemaNode {
    return (this.#node ??= this.#owner.child(this.#keyword, this.#key))
  }

  /** Its node, if values may reach it. */
  get below(): readonly SchemaNode[] {
    return this.leaf.isWhole ? NOTHING : [this.node]
  }

  /** Looks at the value of a container. */
  fits(container: Readonly<Container>, key: string | number, look: Look): Verdict {
    const value = container[key]
    const { leaf } = this
    return fitsLeaf(leaf.kind, leaf, value) ? YES : this.look(value, look, container, key)
  }

  /** Looks at a value that doesn't match without a call. */
  look(value: unknown, look: Look, container: unknown, key: string | number): Verdict {
    const plan = (this.#plan ??= this.node.plan.looked)
    const { leaf } = this
    if (
      plan.coerce !== undefined &&
      look.use === EDIT &&
      leaf.kind !== TEST.call &&
      typeof value !== 'object'
    ) {
      const coerced = plan.coerce(value)
      if (coerced !== REFUSED && fitsLeaf(leaf.kind, leaf, coerced)) {
        look.log.push(container, key, coerced)
        return YES
      }
    }
    return plan.isFunction
      ? plan.lookBehind(value, look, container, key)
      : plan.look(value, look, container, key)
  }

  /** Applies it to the value of a container. */
  applies(container: Container, key: string | number, value: Value, mode: Mode, frame: Frame): boolean {
    const { leaf } = this
    if (fitsLeaf(leaf.kind, leaf, container[key])) return true
    const { plan } = this.node
    // A value that has failed will fail again, so a look would be in vain.
    if (!plan.hasFailed && plan.settles(container, key, mode, frame.walk)) return true
    const fits = plan.apply(value.entry(key), mode, frame)
    plan.hasFailed = !fits
    return fits
  }
}
