import { describe, expect, it } from 'vitest'

import { frameworks } from '../../../../benchmarks/types/apps.mjs'
import { guardedApps } from '../../../../benchmarks/types/guarded-apps.mjs'
import { measure } from '../../../../benchmarks/types/measure.mjs'

// Instantiations do not depend on the machine; time does, and is not looked at.
const budget = { route: 2400, bend: 1.1 }
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

function perRoute(app: (typeof guardedApps)[number]): number {
  const [few, many] = [10, 30].map((routes) => measure(app, routes, 'chain', options))
  if (few === undefined || many === undefined) throw new Error('two sizes')
  expect([...few.problems, ...many.problems]).toEqual([])
  return (many.instantiations - few.instantiations) / 20
}

describe('five guards', () => {
  const [neither, ...others] = guardedApps
  if (neither === undefined) throw new Error('no app')

  it.each(others)('cost the compiler at most a tenth more for each route: $name', (app) => {
    const least = perRoute(neither)
    expect(least).toBeGreaterThan(1000)
    expect(perRoute(app)).toBeLessThan(least * 1.1)
  })
})
