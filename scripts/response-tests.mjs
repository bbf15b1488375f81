// `npm run test:responses`: runs the invariants of responses, and sequences of requests, over random connections with a
// new seed. `CLOISTER_SEED=N` repeats a run; `CLOISTER_RESPONSES=N` and `CLOISTER_SEQUENCES=N` change the numbers of
// connections per transport.
import { randomInt } from 'node:crypto'
import { run } from './lib/run.mjs'

const seed = process.env['CLOISTER_SEED'] ?? String(randomInt(2 ** 31))
const count = process.env['CLOISTER_RESPONSES'] ?? '20000'
const sequences = process.env['CLOISTER_SEQUENCES'] ?? '2000'
console.log(`CLOISTER_SEED=${seed} CLOISTER_RESPONSES=${count} CLOISTER_SEQUENCES=${sequences}`)
const { code } = await run(
  ['vitest', 'run', 'conformance/responses/invariants.test.ts', 'conformance/sequences'],
  {
    env: { CLOISTER_SEED: seed, CLOISTER_RESPONSES: count, CLOISTER_SEQUENCES: sequences },
    echo: true,
    timeoutMs: 30 * 60_000,
  },
)
process.exitCode = code
