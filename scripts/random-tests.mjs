// `npm run test:random`: runs the tests that draw random values, with a new seed. `CLOISTER_SEED=N` repeats a run.
import { randomInt } from 'node:crypto'
import { run } from './lib/run.mjs'

const seed = process.env['CLOISTER_SEED'] ?? String(randomInt(2 ** 31))
console.log(`CLOISTER_SEED=${seed}`)
const { code } = await run(
  [
    'vitest',
    'run',
    'packages/schema',
    'conformance/boot/calls-at-random',
    'conformance/never-unvalidated',
    'conformance/routing',
    'conformance/wire/reference',
    'conformance/ends',
    'conformance/guards/drawn',
    'conformance/web',
  ],
  {
    env: {
      CLOISTER_SEED: seed,
      CLOISTER_RUNS: '10',
      CLOISTER_SCHEMAS: '4000',
      CLOISTER_REFUSAL_SCHEMAS: '20000',
      CLOISTER_EXPRESSION_PAIRS: '1000000',
      CLOISTER_REFERENCE_MESSAGES: '1000000',
      CLOISTER_BOOTS: '1000',
      CLOISTER_ENDS: '10000',
      CLOISTER_WEB_CASES: '100000',
    },
    echo: true,
    timeoutMs: 90 * 60_000,
  },
)
process.exitCode = code
