import { isRecord } from '../functions.ts'
import type { AppOptions } from '../options/app-options.ts'
import type { RoutePlan } from '../request/route-plan.ts'
import { createRadixRouter } from './radix-router.ts'
import type { RadixRouter } from './radix-router.ts'

const METHOD = 'GET'

/**
 * Which not-found handler answers for a path: that of the longest prefix above it. Of a path that cannot be read no
 * prefix is known: the handler of the root answers for it.
 */
export class NotFoundTable {
  readonly #router: RadixRouter
  #fallback: RoutePlan

  constructor(options: AppOptions, fallback: RoutePlan) {
    this.#router = createRadixRouter({ ...options, constraints: null, onMaxParamLength: null })
    this.#fallback = fallback
  }

  add(prefix: string, plan: RoutePlan): void {
    const base = prefix === '' ? '/' : prefix
    const store = { plan }
    if (base === '/') this.#fallback = plan
    this.#router.on(METHOD, base.endsWith('/') ? `${base}*` : `${base}/*`, {}, () => {}, store)
    if (base !== '/') this.#router.on(METHOD, base, {}, () => {}, store)
  }

  find(target: string): RoutePlan {
    const store = this.#router.find(METHOD, target, undefined)?.store
    return isStored(store) ? store.plan : this.#fallback
  }
}

function isStored(value: unknown): value is { readonly plan: RoutePlan } {
  return isRecord(value) && 'plan' in value
}
