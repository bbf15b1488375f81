import { createError } from '../errors.ts'
import type { CallSite } from '../call-site.ts'
import { isFunction } from '../guards.ts'
import type { Guard } from '../hooks/hook-entry.ts'
import { nearestName } from '../suggest.ts'
import type { Context } from './context.ts'
import { defineDecoration, type Decoration } from './decorators.ts'

interface Override extends Decoration {
  readonly context: Context
  used: boolean
}

/** Values that replace decorators of instances in tests, in one context and its descendants. */
export class Overrides {
  /** the latest first */
  readonly #all: Override[] = []
  /** the names that were decorated, and where, for hints in the error of an unused override */
  readonly #decorated = new Map<PropertyKey, CallSite>()

  /** Adds a value; the latest one takes effect. It replaces a decorator that the context already sees at once. */
  add(name: PropertyKey, value: unknown, context: Context, callSite: CallSite): void {
    const used = context.decorators.instance.find(name) !== undefined
    const override = { name, value, context, callSite, used }
    this.#all.unshift(override)
    if (used) defineDecoration(context.instance, override)
  }

  /** Returns the decoration for a context, with the override applied. */
  apply(decoration: Decoration, context: Context): Decoration {
    const { name, callSite } = decoration
    this.#decorated.set(name, callSite)
    const overrides = this.#all.filter((one) => one.name === name && context.isWithin(one.context))
    for (const one of overrides) one.used = true
    const [latest] = overrides
    return latest === undefined ? decoration : { ...decoration, value: latest.value }
  }

  /** Returns a guard, with the function or the value of an override in its place. It gives nothing back then. */
  replaceGuard(guard: Guard, context: Context): Guard {
    const { name, run, callSite } = guard
    const { value } = this.apply({ name, value: run, callSite }, context)
    if (value === run) return guard
    return { ...guard, run: isFunction(value) ? value : () => value, release: null }
  }

  /** @throws `CLO_ERR_DEC_OVERRIDE_UNUSED` if no decorator or guard has the name of an override */
  assertUsed(): void {
    const unused = this.#all.findLast(({ used }) => !used)
    if (unused === undefined) return
    const name = String(unused.name)
    const added = this.#decorated.get(unused.name)
    const nearest =
      added === undefined
        ? nearestName(name, [...this.#decorated.keys()].map(String))
        : `: '${name}' is added at ${added.toString()}; override it before that, in its context or an ancestor`
    throw createError('DEC_OVERRIDE_UNUSED', { name, callSite: unused.callSite, nearest })
  }
}
