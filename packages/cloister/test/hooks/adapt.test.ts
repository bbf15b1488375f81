import { describe, expect, it } from 'vitest'
import { countParameters } from '../../src/hooks/adapt.ts'
import { isFunction, isRecord } from '../../src/guards.ts'

/** Functions as they may be written, and how many parameters each has. */
const WRITTEN: readonly (readonly [text: string, count: number])[] = [
  ['() => 1', 0],
  ['a => call(1, 2, 3)', 1],
  ['(a) => a', 1],
  ['(a, b,) => ({ a, b })', 2],
  ['(a, b = {}, c) => {}', 3],
  ['(a, b = [1, 2], c = () => {}) => {}', 3],
  ['(a, { b, c: [d, e] } = {}, f) => {}', 3],
  ['({ a, b: { c, d } }, e) => {}', 2],
  ['(a, b = call(1), c) => {}', 3],
  ['(a /* b, c */, d) => {}', 2],
  ['(\n  a, // b, c\n  d,\n) => {}', 2],
  ['function (a, b = 1, c) {}', 3],
  ['function named(a, b) { return (1, 2, 3) }', 2],
  ['async function named(a, b = 1) {}', 2],
  ['async (a, b = 1) => {}', 2],
]

describe('the parameters of a function', () => {
  it.each(WRITTEN)('%s', async (text, count) => {
    const module: unknown = await import(`data:text/javascript,export default (${encodeURIComponent(text)})`)
    const fn = isRecord(module) ? module['default'] : undefined
    if (!isFunction(fn)) throw new Error('a function was expected')
    expect(countParameters(fn)).toBe(count)
  })
})
