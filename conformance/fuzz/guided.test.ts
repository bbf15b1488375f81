// The inputs that `npm run fuzz` has kept for the targets that coverage guides, and some changes of them.
import { describe, expect, it } from 'vitest'
import { Random } from '../../packages/schema/test/validator/random.ts'
import { isPeer } from '../harness/subject.ts'
import { corpus, timeout } from './fuzz.ts'
import { mutate } from './guided/mutate.ts'
import { TARGETS } from './guided/targets.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const CHANGED = 200

describe.skipIf(isPeer).each(TARGETS)('fuzz: $name', ({ name, words, draw, check }) => {
  it('has no faults, with the inputs that are kept and changes of them', { timeout }, async () => {
    const kept = corpus(`guided-${name}`)
    const random = new Random(SEED)
    const changed = Array.from({ length: CHANGED }, () =>
      random.chance(0.2) ? draw(random) : mutate(random.pick(kept), random.pick(kept), random, words),
    )
    const found: unknown[] = []
    for (const input of [...kept, ...changed]) {
      const { faults } = await check(input)
      if (faults.length > 0) found.push({ input, faults })
    }
    expect(found.slice(0, 3)).toEqual([])
  })
})
