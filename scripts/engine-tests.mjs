// `npm run test:engine`: tests the engine of `@cloister/wire` at full size: 100 MB each way through Node's objects,
// and runs its suites once more over TLS.
import { run } from './lib/run.mjs'

const bulk = await run(['vitest', 'run', 'packages/wire/test/exchange/flow'], {
  env: { CLOISTER_BULK_MB: '100' },
  echo: true,
  timeoutMs: 10 * 60_000,
})
const encrypted = await run(
  ['vitest', 'run', 'conformance', '--project', 'behaviour', '--project', 'long', '-t', String.raw`\(wire\)`],
  // The certificate of the harness is its own; not every client of the suites can be told so.
  { env: { CLOISTER_WIRE_TLS: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' }, echo: true, timeoutMs: 30 * 60_000 },
)
process.exitCode = bulk.code === 0 && encrypted.code === 0 ? 0 : 1
