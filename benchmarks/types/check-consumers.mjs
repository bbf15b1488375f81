// node benchmarks/types/check-consumers.mjs   after `npm run build` and `npm ci --prefix benchmarks/types`
//
// The published declarations, with skipLibCheck off, in a project of a user, on every compiler that we support.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const compilers = ['typescript59', 'typescript6', 'typescript']

// Users' projects with the declarations as published, and the type tests of the framework.
const projects = {
  consumer: here('consumer'),
  'no target': here('no-target'),
  'type tests': here('../../packages/cloister/test-d'),
}

for (const name of compilers) {
  const tsc = here(`node_modules/${name}/bin/tsc`)
  if (!existsSync(tsc)) throw new Error(`${name} is not installed: npm ci --prefix benchmarks/types`)
  const version = spawnSync(process.execPath, [tsc, '--version'], { encoding: 'utf8' }).stdout.trim()
  for (const [title, project] of Object.entries(projects)) {
    const args = [tsc, '-p', project, '--noEmit', '--pretty', 'false']
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    console.log(`${version}, ${title}: ${status === 0 ? 'no problem' : 'problems'}`)
    if (status === 0) continue
    console.log(stdout + stderr)
    process.exitCode = 1
  }
}
