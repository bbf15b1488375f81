// `npm run test:exact`: compares what handlers see with what an exact reader reads, over random requests, with a new seed.
// `CLOISTER_SEED=N` repeats a run, and `CLOISTER_EXACT=N` changes the number of requests.
import { randomInt } from 'node:crypto'
import { run } from './lib/run.mjs'

const seed = process.env['CLOISTER_SEED'] ?? String(randomInt(2 ** 31))
const count = process.env['CLOISTER_EXACT'] ?? '1000000'
console.log(`CLOISTER_SEED=${seed} CLOISTER_EXACT=${count}`)
const { code } = await run(['vitest', 'run', 'conformance/refused/exact.test.ts'], {
  env: { CLOISTER_SEED: seed, CLOISTER_EXACT: count },
  echo: true,
  timeoutMs: 60 * 60_000,
})
process.exitCode = code
