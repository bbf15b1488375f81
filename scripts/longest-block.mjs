// `npm run longest-block [-- COUNT]`: measures how long values of 1 MiB keep validators and serializers busy, in
// milliseconds of the thread's CPU time. The test runner would slow this down, so it runs a bundle of the sources.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleSource } from './lib/load-source.mjs'
import { repository, run } from './lib/run.mjs'

const folder = join(repository, 'conformance', 'fuzz')
const kept = await readFile(join(folder, 'corpus', 'validator.json'), 'utf8')
const file = join(folder, 'blocks', 'dist', 'report.mjs')
await bundleSource(join(folder, 'blocks', 'report.ts'), file)
const { code } = await run([process.execPath, file, kept, process.argv[2] ?? '10'], {
  echo: true,
  timeoutMs: 3_600_000,
})
process.exitCode = code
