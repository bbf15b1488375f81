// Every gate has a planted fault that it must report. Each canary is a small workspace without faults
// (`canaries/base`), over which the files of `canaries/<gate>` are laid. The gate must be green on the first
// and red on the second, and name every fault in the table below; else it is worth nothing.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, mkdirSync, rmSync, symlinkSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gates, tests } from './gates.mjs'
import { repository, run } from './lib/run.mjs'

/** What each gate must say about its canary.
 * @type {Record<string, readonly RegExp[]>} */
const mustReport = {
  format: [/packages\/plugin\/src\/index\.ts/],
  types: [/plugin\/src\/index\.ts\(1,14\): error TS2322/, /names\.test\.ts\(5,16\): error TS2551/],
  lint: [
    /no-explicit-any/,
    /no-non-null-assertion/,
    /no-unsafe-type-assertion/,
    /no-floating-promises[\s\S]*src\/index\.ts/,
    /no-floating-promises[\s\S]*names\.test\.ts/,
    /no-misused-promises/,
    /only-throw-error/,
    /no-new-func/,
    /no-focused-tests/,
    /no-disabled-tests/,
  ],
  layers: [
    /schema\/src\/index\.ts:1 .*imports cloister \(layer 2\)/,
    /cycle of value imports: .*one\.ts -> .*two\.ts -> .*one\.ts/,
    /two\.ts:2 re-exports/,
    /two\.ts:3 reaches out of its package/,
    /two\.ts:4 .*without its \.ts ending/,
    /context\.ts:1 the room context imports a value from transport/,
    /old\.ts:1 lies in the room attic/,
  ],
  silenced: [
    /index\.ts:1 silences a rule for more than one line/,
    /index\.ts:2 silences a rule without saying why/,
    /index\.ts:4 silences every rule/,
    /index\.ts:6 expects a type error without/,
  ],
  unused: [/packages\/plugin\/src\/attic\.ts/, /unusedExport/, /left-pad/],
  dependencies: [
    /left-pad .*has no line/,
    /right-pad is no dependency/,
    /left-pad names a download address/,
    /left-pad lacks its optional left-pad-linux/,
  ],
  generated: [/docs\/errors\.md is not what the catalogue gives/],
  docs: [
    /README\.md\(4,7\): error TS2322/,
    /README\.md:8 the example ends with exit code 1/,
    /src\/index\.ts\(6,10\)/,
  ],
  tests: [/broken\.test\.ts/, /^1 passed, 2 failed$/m],
}

const COPIED = [
  '.gitignore',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'knip.json',
  'scripts',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsconfig.test.json',
  'vitest.config.ts',
]

/** Makes the workspace without faults in a new folder. @returns {string} */
function makeWorkspace() {
  const folder = mkdtempSync(path.join(tmpdir(), 'canary-'))
  cpSync(path.join(repository, 'scripts/canaries/base'), folder, { recursive: true })
  for (const name of COPIED) cpSync(path.join(repository, name), path.join(folder, name), { recursive: true })
  // What is about our own packages has no place beside those of the canaries.
  for (const name of ['canaries', 'test', 'count-calls.mjs', 'lib/call-counter.mjs']) {
    rmSync(path.join(folder, 'scripts', name), { recursive: true })
  }
  linkModules(folder)
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  return folder
}

/** Links the installed packages, and the workspace's own in place of ours. @param {string} folder */
function linkModules(folder) {
  const target = path.join(folder, 'node_modules')
  mkdirSync(path.join(target, '@cloister'), { recursive: true })
  for (const name of readdirSync(path.join(repository, 'node_modules'))) {
    if (name === '@cloister' || name === 'cloister' || name.startsWith('.')) continue
    symlinkSync(path.join(repository, 'node_modules', name), path.join(target, name))
  }
  for (const name of readdirSync(path.join(folder, 'packages'))) {
    symlinkSync(
      path.join(folder, 'packages', name),
      path.join(target, name === 'cloister' ? name : `@cloister/${name}`),
    )
  }
}

/** Why the gate is worth nothing; nothing when it is good.
 * @param {import('./gates.mjs').Gate} gate @param {string} clean @returns {Promise<string[]>} */
async function tryGate(gate, clean) {
  const expected = mustReport[gate.name]
  if (expected === undefined) return [`${gate.name} has no canary`]
  if (gate.needs !== undefined) await run(gate.needs, { cwd: clean })
  const silent = await run(gate.command, { cwd: clean })
  if (silent.code !== 0) return [`${gate.name} is red on a workspace without faults:\n${silent.output}`]
  const folder = makeWorkspace()
  cpSync(path.join(repository, 'scripts/canaries', gate.name), folder, { recursive: true })
  if (gate.needs !== undefined) await run(gate.needs, { cwd: folder })
  const { code, output } = await run(gate.command, { cwd: folder })
  rmSync(folder, { recursive: true, force: true })
  if (code === 0) return [`${gate.name} is green on its planted fault:\n${output}`]
  const missed = expected.filter((pattern) => !pattern.test(output))
  return missed.length === 0 ? [] : [`${gate.name} does not report ${missed.join(', ')}:\n${output}`]
}

const clean = makeWorkspace()
/** @type {string[]} */
const faults = []
for (const gate of [...gates, tests]) faults.push(...(await tryGate(gate, clean)))
rmSync(clean, { recursive: true, force: true })

for (const text of faults) console.log(text)
console.log(
  faults.length === 0 ? 'Every gate reports its planted fault.' : `${faults.length} gates are blind.`,
)
process.exitCode = faults.length === 0 ? 0 : 1
