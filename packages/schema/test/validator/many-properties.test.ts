import { describe, expect, it } from 'vitest'
import { Workbench, type Setup } from '../walk/workbench.ts'
import { bothBackEnds } from './both-back-ends.ts'
import { Random } from './random.ts'

/** Set CLOISTER_SEED to repeat a run. */
const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_125)

/** Schemas of properties, each with a value that fits. */
const PROPERTIES: readonly (readonly [schema: object, value: unknown])[] = [
  [{ type: 'integer', maximum: 7 }, 1],
  [{ type: 'string', maxLength: 2 }, 'x'],
  [{ type: 'array', items: { type: 'integer' } }, [1]],
  [{ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, null],
  [{ type: 'integer', default: 3 }, '2'],
]
const VALUES: readonly unknown[] = [1, '2', 'x', 'long', 9, true, null, [1], ['1', 'x'], {}]

interface Made {
  readonly schema: object
  readonly required: readonly string[]
  readonly fitting: ReadonlyMap<string, unknown>
}

/** An object schema with many properties, of which few are needed. */
function randomObject(random: Random, hasInherited: boolean): Made {
  const names = Array.from({ length: 60 + random.below(80) }, (_, index) => `p${index}`)
  if (hasInherited) names.push('constructor', 'toString')
  const made = names.map((name) => [name, PROPERTIES[random.chance(0.02) ? 4 : random.below(4)]] as const)
  const required = names.filter(() => random.chance(0.01))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(made.map(([name, property]) => [name, property?.[0]])),
    required,
    ...(random.chance(0.5) ? { additionalProperties: false } : {}),
  }
  return { schema, required, fitting: new Map(made.map(([name, property]) => [name, property?.[1]])) }
}

function randomData(random: Random, { required, fitting }: Made): object {
  const names = [...fitting.keys()]
  const given = Array.from({ length: random.below(random.chance(0.7) ? 5 : names.length) }, () =>
    random.pick(names),
  )
  const valueOf = (name: string): unknown => (random.chance(0.03) ? random.pick(VALUES) : fitting.get(name))
  const needed = random.chance(0.8) ? required : []
  return Object.fromEntries([
    ...[...needed, ...given].map((name) => [name, valueOf(name)]),
    [`f${given.length}`, 1],
  ])
}

describe('objects with many optional properties', () => {
  const setups: [words: string, setup: Setup][] = [
    ['with what the engine does', {}],
    ['without edits', { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } }],
    ['with all errors', { customOptions: { allErrors: true } }],
  ]
  it.each(setups)('are validated as by Ajv, whichever of them are given, %s', (_words, setup) => {
    const random = new Random(SEED)
    const bench = new Workbench([], setup)
    let accepted = 0
    // Some schemas accept nothing.
    for (let run = 0; run < 12 || (run < 60 && accepted <= 30); run++) {
      const made = randomObject(random, run % 4 === 0)
      const forms = [
        { type: 'array', items: made.schema },
        { anyOf: [made.schema, { type: 'null' }] },
        made.schema,
      ]
      const schema = forms[run % 3]
      const { ajv, own, acceptors } = bench.pair(schema)
      for (let values = 0; values < 20; values++) {
        const make = (): object => randomData(random, made)
        const text = JSON.stringify(run % 3 === 0 ? [make(), make()] : make())
        const expected = ajv(JSON.parse(text))
        const context = `CLOISTER_SEED=${SEED} ${JSON.stringify(schema)} ${text}`
        expect(own(JSON.parse(text)), context).toEqual(expected)
        for (const accept of Object.values(acceptors)) {
          const seen = accept(JSON.parse(text))
          expect(seen.data, context).toEqual(seen.accepted ? expected.data : JSON.parse(text))
          if (seen.accepted) expect(expected.valid, context).toBe(true)
          accepted += Number(seen.accepted)
        }
      }
    }
    expect(accepted).toBeGreaterThan(30)
  })

  // Objects with keys of their own have hidden classes of their own, in which each read of a property is a search.
  it.each([0, 1])('are not asked for each of them, by back end %i', (index) => {
    const properties = Object.fromEntries(
      Array.from({ length: 800 }, (_, at) => [`p${at}`, { type: 'integer' }]),
    )
    const accept = bothBackEnds({ type: 'object', properties, additionalProperties: { type: 'integer' } })[
      index
    ]?.[1]
    let most = 0
    for (let at = 0; at < 500; at++) {
      let reads = 0
      const get = (target: object, key: string | symbol): unknown => {
        reads += 1
        return Reflect.get(target, key)
      }
      expect(accept?.(new Proxy({ [`f${at}`]: 1, p1: 1 }, { get }))).toBe(true)
      most = Math.max(most, reads)
    }
    // Generated code reads a group of properties.
    expect(most).toBeLessThan(50)
  })
})
