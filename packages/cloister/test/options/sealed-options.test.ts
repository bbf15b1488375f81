import { describe, expect, it } from 'vitest'
import { OPTIONS, ROUTER_OPTIONS } from '../../src/options/option-table.ts'
import { routeOnlyOptions } from '../../src/options/rows/routes.ts'
import { OPTIONS as SEALED, ROUTER_OPTIONS as SEALED_ROUTER } from '../../src/sealed/option-table.ts'
import { routeOnlyOptions as sealedRoutes } from '../../src/sealed/route-rows.ts'

/** Values of every type, and of every word of an option. */
const VALUES: readonly unknown[] = [
  true,
  false,
  0,
  1,
  1000,
  '7',
  'x',
  '',
  [],
  ['x'],
  {},
  { hops: 1, from: '10.0.0.0/8' },
  () => {},
  Number.NaN,
]
const wordsOf = (checked: string): string[] =>
  [...checked.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)

describe('the options of a sealed worker', () => {
  it.each([...OPTIONS])('are those of the table: %s', (name, row) => {
    const sealed = SEALED.get(name)
    expect(sealed?.default).toEqual(row.default)
    expect(sealed?.strict).toEqual(row.strict)
    expect(sealed?.shown).toBe(row.shown)
    expect(sealed?.route === undefined).toBe(row.route === undefined)
    for (const value of [...VALUES, ...wordsOf(row.kind.checked)]) {
      const read = row.kind.read(value)
      if (read !== undefined) expect(sealed?.kind.read(value), String(value)).toEqual(read)
    }
  })

  it.each([...OPTIONS].filter(([, { kind }]) => kind.checked !== 'unknown'))(
    'refuse values of a type that they do not have: %s',
    (name, row) => {
      const types = new Set(VALUES.filter((value) => row.kind.read(value) !== undefined).map((v) => typeof v))
      for (const value of [true, 'no-word-of-an-option', () => {}, Number.NaN]) {
        if (!types.has(typeof value))
          expect(SEALED.get(name)?.kind.read(value), String(value)).toBe(undefined)
      }
    },
  )

  it('refuse with strict what trusts every client', () => {
    const [row, sealed] = [OPTIONS.get('trustProxy'), SEALED.get('trustProxy')]
    for (const value of [true, 1, false, '10.0.0.0/8'])
      expect(sealed?.strictProblem?.(value) == null).toBe(row?.strictProblem?.(value) == null)
  })

  it('have the names of the router and of routes', () => {
    expect(SEALED_ROUTER).toEqual(ROUTER_OPTIONS)
    expect(Object.keys(sealedRoutes)).toEqual(Object.keys(routeOnlyOptions))
  })
})
