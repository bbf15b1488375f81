import { describe, expect, it } from 'vitest'

import { frameworks } from '../../../../benchmarks/types/apps.mjs'
import { measure } from '../../../../benchmarks/types/measure.mjs'

// Instantiations do not depend on the machine; time does, and is not looked at.
// The last 20 are for cookies and 64-bit integers.
const budget = { route: 2540, bend: 1.1 }
const options = { customConditions: ['@cloister/source'], allowImportingTsExtensions: true }
const ours = frameworks.filter(({ name }) => name.startsWith('cloister'))
const styles = ['chain', 'plugins'] as const

describe.each(ours)('an app of $name', (framework) => {
  it.each(styles)('costs the compiler the same for every route more, as %s', (style) => {
    const [few, some, many] = [50, 200, 500].map((routes) => measure(framework, routes, style, options))
    if (few === undefined || some === undefined || many === undefined) throw new Error('three sizes')
    expect([...few.problems, ...some.problems, ...many.problems]).toEqual([])
    const first = (some.instantiations - few.instantiations) / 150
    const later = (many.instantiations - some.instantiations) / 300
    expect(first).toBeLessThan(budget.route)
    expect(later).toBeLessThan(first * budget.bend)
  })
})
