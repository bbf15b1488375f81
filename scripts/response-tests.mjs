// `npm run test:responses`: runs the invariants of responses over random connections, with a new seed.
// `CLOISTER_SEED=N` repeats a run, and `CLOISTER_RESPONSES=N` changes the number of connections per transport.
import { randomInt } from 'node:crypto'
import { run } from './lib/run.mjs'

const seed = process.env['CLOISTER_SEED'] ?? String(randomInt(2 ** 31))
const count = process.env['CLOISTER_RESPONSES'] ?? '20000'
console.log(`CLOISTER_SEED=${seed} CLOISTER_RESPONSES=${count}`)
const { code } = await run(['vitest', 'run', 'conformance/responses/invariants.test.ts'], {
  env: { CLOISTER_SEED: seed, CLOISTER_RESPONSES: count },
  echo: true,
  timeoutMs: 30 * 60_000,
})
process.exitCode = code
