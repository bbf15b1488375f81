// node benchmarks/types/check-consumers.mjs   after `npm run build` and `npm ci --prefix benchmarks/types`
//
// The published declarations, with skipLibCheck off, in a project of a user, on every compiler that we support.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const compilers = ['typescript59', 'typescript6', 'typescript']

for (const name of compilers) {
  const tsc = here(`node_modules/${name}/bin/tsc`)
  if (!existsSync(tsc)) throw new Error(`${name} is not installed: npm ci --prefix benchmarks/types`)
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [tsc, '-p', here('consumer'), '--pretty', 'false'],
    {
      encoding: 'utf8',
    },
  )
  const version = spawnSync(process.execPath, [tsc, '--version'], { encoding: 'utf8' }).stdout.trim()
  console.log(`${version}: ${status === 0 ? 'no problem' : 'problems'}`)
  if (status !== 0) {
    console.log(stdout + stderr)
    process.exitCode = 1
  }
}
