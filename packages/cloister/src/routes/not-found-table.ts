import type { AppOptions } from '../options/app-options.ts'
import type { RoutePlan } from '../request/route-plan.ts'
import { Match } from '../router/find-directly.ts'
import { Router } from '../router/router.ts'

const METHOD = 'GET'

/**
 * Finds the not-found handler of a path: that of the longest matching prefix. An invalid path has no prefix, and goes
 * to the handler of the root.
 */
export class NotFoundTable {
  readonly #router: Router<RoutePlan>
  #fallback: RoutePlan

  constructor(options: AppOptions, fallback: RoutePlan) {
    this.#router = new Router({ ...options, constraints: null })
    this.#fallback = fallback
  }

  add(prefix: string, plan: RoutePlan): void {
    const base = prefix === '' ? '/' : prefix
    if (base === '/') this.#fallback = plan
    this.#router.add(METHOD, base.endsWith('/') ? `${base}*` : `${base}/*`, {}, plan)
    if (base !== '/') this.#router.add(METHOD, base, {}, plan)
  }

  find(target: string): RoutePlan {
    const match = this.#router.find(METHOD, target, undefined)
    return match instanceof Match ? match.stored : this.#fallback
  }
}
