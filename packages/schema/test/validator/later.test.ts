import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../../src/index.ts'
import { Workbench } from '../walk/workbench.ts'
import { laterForm } from '../walk/later-form.ts'
import { randomRoot, randomValue, sharedSchemas } from '../walk/random-schemas.ts'
import { Random } from './random.ts'

/** Set CLOISTER_SEED to repeat a run. */
const SEED = Number(process.env['CLOISTER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const ROUNDS = 8
const SCHEMAS = 15
const VALUES = 12

/** Compares what an engine makes of values, acceptor first, with the refuser alone. */
function differences(random: Random, codeGeneration: 'always' | 'never', customOptions: object): string[] {
  const found: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const shared = sharedSchemas(random)
    const bench = new Workbench(shared, {
      isLater: true,
      // As an engine has it without strict mode.
      customOptions: { strictNumbers: false, ...customOptions },
    })
    const engine = createSchemaEngine({
      jsonSchemaDialect: '2020-12',
      codeGeneration,
      ajv: { customOptions: { strict: false, ...customOptions } },
    })
    const store = engine.createStore()
    for (const schema of shared) store.add(laterForm(schema))
    for (let count = 0; count < SCHEMAS; count++) {
      const schema = randomRoot(random)
      const validate = attempt(() =>
        engine.compileValidator({ schema: laterForm(schema), httpPart: 'body', store }),
      )
      const own = attempt(() => bench.pair(schema).own)
      if (validate === undefined || own === undefined) continue
      for (let each = 0; each < VALUES; each++) {
        const text = JSON.stringify(randomValue(random, schema, shared))
        const holder = { value: JSON.parse(text) as unknown }
        const valid = attempt(() => validate(holder.value, holder))
        const expected = attempt(() => own(JSON.parse(text)))
        if (expected === undefined) continue
        const [ours, theirs] = [
          { valid, data: holder.value },
          { valid: expected.valid, data: expected.data },
        ]
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
          found.push(`${JSON.stringify(schema)}\nwith ${text}\n${JSON.stringify([ours, theirs])}`)
        }
      }
    }
  }
  return found
}

/** Undefined where it throws: schemas may be unusable, and `{ toString: null }` is no property name. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

describe('acceptors of 2020-12', () => {
  it.each([
    ['always', {}],
    ['never', {}],
    ['always', { coerceTypes: false, removeAdditional: false }],
    ['never', { coerceTypes: false, useDefaults: false }],
  ] as const)('agree with refusals (%s, %o)', (codeGeneration, customOptions) => {
    expect(differences(new Random(SEED), codeGeneration, customOptions).join('\n\n')).toBe('')
  })
})
