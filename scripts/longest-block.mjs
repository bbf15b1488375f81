// `npm run longest-block`: for how long a body of 1 MiB keeps a validator busy, over the schemas of
// conformance/fuzz/blocks.test.ts; prints the ten longest, in milliseconds of CPU.
import { run } from './lib/run.mjs'

const { code } = await run(['vitest', 'run', '--project', 'behaviour', 'conformance/fuzz/blocks.test.ts'], {
  env: { CLOISTER_REPORT: '1' },
  echo: true,
})
process.exitCode = code
