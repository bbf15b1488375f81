// `npm run fuzz`: runs the fuzz targets for five minutes each, with a new seed. `CLOISTER_SEED=N` repeats a run, and
// `CLOISTER_FUZZ_SECONDS=N` changes the time.
import { randomInt } from 'node:crypto'
import { run } from './lib/run.mjs'

const seed = process.env['CLOISTER_SEED'] ?? String(randomInt(2 ** 31))
const seconds = process.env['CLOISTER_FUZZ_SECONDS'] ?? '300'
console.log(`CLOISTER_SEED=${seed} CLOISTER_FUZZ_SECONDS=${seconds}`)
const { code } = await run(['vitest', 'run', '--project', 'long', 'conformance/fuzz'], {
  env: { CLOISTER_SEED: seed, CLOISTER_FUZZ_SECONDS: seconds },
  echo: true,
  timeoutMs: 80 * 60_000,
})
process.exitCode = code
