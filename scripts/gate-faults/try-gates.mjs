// `node scripts/gate-faults/try-gates.mjs`: every gate must be green on a workspace without faults, red on its planted
// faults, and name each of them. A gate that stays green on a fault guards nothing.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gates } from '../gates.mjs'
import { repository, run } from '../lib/run.mjs'
import { gateFaults } from './gate-faults.mjs'
import { soundWorkspace } from './sound-workspace.mjs'

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

// Scripts about our own packages cannot run in the sound workspace, which has other packages.
const LEFT_OUT = [
  'gate-faults',
  'test',
  'count-calls.mjs',
  'soak.mjs',
  'lib/call-counter.mjs',
  'lib/soak-server.mjs',
  'lib/soak-traffic.mjs',
]

/** @param {string} folder @param {Readonly<Record<string, string>>} files */
function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Makes the workspace without faults in a new folder. @returns {string} */
function makeWorkspace() {
  const folder = mkdtempSync(path.join(tmpdir(), 'gate-fault-'))
  writeFiles(folder, soundWorkspace)
  for (const name of COPIED) cpSync(path.join(repository, name), path.join(folder, name), { recursive: true })
  for (const name of LEFT_OUT) rmSync(path.join(folder, 'scripts', name), { recursive: true })
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

/** Runs what a gate needs, and what writes files that the gate compares.
 * @param {import('../gates.mjs').Gate} gate @param {import('./gate-faults.mjs').GateFault} fault @param {string} cwd */
async function prepare({ needs }, { before }, cwd) {
  if (needs !== undefined) await run(needs, { cwd })
  if (before !== undefined) await run([process.execPath, ...before], { cwd })
}

/** Returns why the gate guards nothing; an empty list when it is good.
 * @param {import('../gates.mjs').Gate} gate @param {string} clean @returns {Promise<string[]>} */
async function tryGate(gate, clean) {
  const fault = gateFaults.find((entry) => entry.gate === gate.name)
  if (fault === undefined)
    return [`${gate.name} has no planted fault; add one to scripts/gate-faults/gate-faults.mjs`]
  await prepare(gate, fault, clean)
  const silent = await run(gate.command, { cwd: clean })
  if (silent.code !== 0) return [`${gate.name} is red on a workspace without faults:\n${silent.output}`]
  const folder = makeWorkspace()
  if (fault.before !== undefined) await prepare(gate, fault, folder)
  writeFiles(folder, fault.files)
  if (gate.needs !== undefined) await run(gate.needs, { cwd: folder })
  const { code, output } = await run(gate.command, { cwd: folder })
  rmSync(folder, { recursive: true, force: true })
  if (code === 0) return [`${gate.name} is green on its planted fault:\n${output}`]
  const missed = fault.reports.filter((pattern) => !pattern.test(output))
  return missed.length === 0 ? [] : [`${gate.name} does not report ${missed.join(', ')}:\n${output}`]
}

const clean = makeWorkspace()
/** @type {string[]} */
const failures = []
for (const gate of gates) {
  if (gate.hasFault) failures.push(...(await tryGate(gate, clean)))
}
rmSync(clean, { recursive: true, force: true })

for (const text of failures) console.log(text)
console.log(
  failures.length === 0
    ? 'Every gate reports its planted faults.'
    : `${failures.length} gates miss a planted fault.`,
)
process.exitCode = failures.length === 0 ? 0 : 1
