import { createError } from '../errors.ts'
import type { CallSite } from '../call-site.ts'
import { nearestName } from '../suggest.ts'
import type { Context } from './context.ts'
import { defineDecoration, type Decoration } from './decorators.ts'

interface Override {
  readonly value: unknown
  readonly context: Context
  readonly callSite: CallSite
  used: boolean
}

/** Values that replace decorators of instances in tests, in one context and its descendants. */
export class Overrides {
  readonly #all = new Map<PropertyKey, Override[]>()
  /** the names that were decorated, for hints in the error of an unused override */
  readonly #decorated = new Set<PropertyKey>()

  /** Adds a value; the latest one takes effect. It replaces a decorator that the context already sees at once. */
  add(name: PropertyKey, value: unknown, context: Context, callSite: CallSite): void {
    const override = { value, context, callSite, used: false }
    this.#all.set(name, [override, ...(this.#all.get(name) ?? [])])
    if (context.decorators.instance.find(name) === undefined) return
    override.used = true
    defineDecoration(context.instance, { name, value, callSite })
  }

  /** Returns the decoration for a context, with the override applied. */
  apply(decoration: Decoration, context: Context): Decoration {
    const { name } = decoration
    this.#decorated.add(name)
    const overrides = this.#all.get(name)?.filter((one) => context.isWithin(one.context)) ?? []
    for (const one of overrides) one.used = true
    const [latest] = overrides
    return latest === undefined ? decoration : { ...decoration, value: latest.value }
  }

  /** @throws `CLO_ERR_DEC_OVERRIDE_UNUSED` if no decorator has the name of an override */
  assertUsed(): void {
    const names = [...this.#decorated].map(String)
    for (const [name, overrides] of this.#all) {
      const unused = overrides.find(({ used }) => !used)
      if (unused === undefined) continue
      const nearest = nearestName(String(name), names)
      throw createError('DEC_OVERRIDE_UNUSED', {
        name: String(name),
        callSite: unused.callSite.toString(),
        nearest,
      })
    }
  }
}
