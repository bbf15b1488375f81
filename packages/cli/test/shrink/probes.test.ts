import { expect, it } from 'vitest'
import { parseSync } from 'oxc-parser'
import { withoutSpots, withProbes, type NumberedSpot } from '../../src/build/shrink/probes.ts'
import { readModule } from '../../src/build/shrink/read-module.ts'

const TEXT = `export function choose(value, list = []) {
  if (value === null) return 'nothing'
  const kind = typeof value === 'number' ? value < 0 ? 'negative' : 'number' : 'other'
  for (const one of list) {
    if (one === value) continue
    list.length > 2 && list.pop()
  }
  if (kind === 'other') {
    const name = value.name ?? 'unnamed'
    return { kind, name }.name
  } else return kind
}
const table = { of: (value) => ({ value }) }
export const wrap = (value) => table.of(value).value
`

/** The spots of all functions that have a name. */
function spotsOf(): NumberedSpot[] {
  let id = 0
  const { parts } = readModule('a.js', TEXT, (file, text) => parseSync(file, text))
  return parts.flatMap(({ spots }) => spots.map((spot) => ({ ...spot, id: id++ })))
}

interface Chosen {
  choose(value: unknown, list?: unknown[]): unknown
  wrap(value: unknown): unknown
}

function load(text: string): Promise<Chosen> {
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`)
}

const CALLS: readonly (readonly [unknown, unknown[]?])[] = [
  [null],
  [4],
  [-1],
  [{ name: 'a' }],
  [{}],
  [1, [1, 2, 3]],
  [2, [3, 4, 5]],
]

it('a module with probes returns the same, and without what did not run too', async () => {
  const plain = await load(TEXT)
  const spots = spotsOf()
  for (const [value, list] of CALLS) {
    const ran = new Set<number>()
    Reflect.set(globalThis, 'ran', ran)
    const probed = await load(`const seen__ = (id) => ran.add(id)\n${withProbes(TEXT, spots)}`)
    expect(probed.choose(value, list?.slice())).toEqual(plain.choose(value, list?.slice()))
    expect(probed.wrap(value)).toBe(value)
    const idle = spots.filter(({ id }) => !ran.has(id))
    const text = withoutSpots(TEXT, idle)
    const cut = await load(`function unseen__() { throw new Error('unseen') }\n${text}`)
    expect(idle.length).toBeGreaterThan(0)
    expect(cut.choose(value, list?.slice())).toEqual(plain.choose(value, list?.slice()))
    expect(cut.wrap(value)).toBe(value)
  }
  Reflect.deleteProperty(globalThis, 'ran')
})

it('what did not run throws', async () => {
  const spots = spotsOf()
  const ran = new Set<number>()
  Reflect.set(globalThis, 'ran', ran)
  const probed = await load(`const seen__ = (id) => ran.add(id)\n${withProbes(TEXT, spots)}//`)
  probed.choose(4)
  Reflect.deleteProperty(globalThis, 'ran')
  const text = withoutSpots(
    TEXT,
    spots.filter(({ id }) => !ran.has(id)),
  )
  const cut = await load(`function unseen__() { throw new Error('unseen') }\n${text}`)
  expect(cut.choose(5)).toBe('number')
  for (const value of [null, -1, {}]) expect(() => cut.choose(value)).toThrow('unseen')
})
