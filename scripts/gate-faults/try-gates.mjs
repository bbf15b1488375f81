// `node scripts/gate-faults/try-gates.mjs`: checks that every gate passes on a workspace without faults, fails on
// its planted faults, and names each of them. A gate that passes with a fault guards nothing.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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
  'tsconfig.base.json',
  'tsconfig.test.json',
  'vitest.config.ts',
]

/**
 * Returns the scripts that gates with a fault run, and the files of `scripts` that these name. Others are about
 * packages that the sound workspace does not have.
 *
 * @returns {Set<string>}
 */
function scriptsOfGates() {
  const guarded = gates.filter(({ hasFault }) => hasFault).flatMap(({ command, needs }) => [command, needs])
  const words = [...guarded, ...gateFaults.map(({ before }) => before)].flatMap((list) => list ?? [])
  /** @type {Set<string>} */
  const found = new Set()
  /** @param {string} file */
  const follow = (file) => {
    const text = readFileSync(path.join(repository, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/'([\w./-]+\.(?:mjs|ts|json))'/g)) {
      add(path.join(path.dirname(file), name))
      add(name)
    }
  }
  /** @param {string} file */
  const add = (file) => {
    const target = path.join(repository, file)
    if (found.has(file) || Object.hasOwn(soundWorkspace, file)) return
    if (!file.startsWith('scripts/') || !existsSync(target) || !statSync(target).isFile()) return
    found.add(file)
    follow(file)
  }
  for (const word of words) add(word)
  follow('vitest.config.ts')
  return found
}

/** @param {string} folder @param {Readonly<Record<string, string>>} files */
function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Creates the workspace without faults in a new folder. @returns {string} */
function makeWorkspace() {
  const folder = mkdtempSync(path.join(tmpdir(), 'gate-fault-'))
  for (const name of [...COPIED, ...scriptsOfGates()])
    cpSync(path.join(repository, name), path.join(folder, name))
  // The workspace only has some of the scripts, which do not use all of their exports.
  const knip = JSON.parse(readFileSync(path.join(repository, 'knip.json'), 'utf8'))
  const unused = JSON.stringify({ ...knip, ignore: [...knip.ignore, 'scripts/**'] })
  writeFiles(folder, { 'knip.json': unused, ...soundWorkspace })
  linkModules(folder)
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  return folder
}

/** Links the installed packages, and the workspace's own packages instead of ours. @param {string} folder */
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

/**
 * Runs a gate in a new workspace.
 *
 * @param {import('../gates.mjs').Gate} gate
 * @param {readonly string[] | undefined} before
 * @param {Readonly<Record<string, string>>} planted
 */
async function runGate({ command, needs }, before, planted) {
  const cwd = makeWorkspace()
  if (needs !== undefined) await run(needs, { cwd })
  if (before !== undefined) await run([process.execPath, ...before], { cwd })
  writeFiles(cwd, planted)
  if (needs !== undefined) await run(needs, { cwd })
  const result = await run(command, { cwd })
  rmSync(cwd, { recursive: true, force: true })
  return result
}

/** Returns why the gate guards nothing; an empty list if it is good.
 * @param {import('../gates.mjs').Gate} gate @returns {Promise<string[]>} */
async function tryGate(gate) {
  const fault = gateFaults.find((entry) => entry.gate === gate.name)
  if (fault === undefined)
    return [`${gate.name} has no planted fault; add one to scripts/gate-faults/gate-faults.mjs`]
  const silent = await runGate(gate, fault.before, {})
  if (silent.code !== 0) return [`${gate.name} is red on a workspace without faults:\n${silent.output}`]
  const { code, output } = await runGate(gate, fault.before, fault.files)
  if (code === 0) return [`${gate.name} is green on its planted fault:\n${output}`]
  const missed = fault.reports.filter((pattern) => !pattern.test(output))
  return missed.length === 0 ? [] : [`${gate.name} does not report ${missed.join(', ')}:\n${output}`]
}

/** @type {string[]} */
const failures = []
for (const gate of gates) {
  if (gate.hasFault) failures.push(...(await tryGate(gate)))
}

for (const text of failures) console.log(text)
console.log(
  failures.length === 0
    ? 'Every gate reports its planted faults.'
    : `${failures.length} gates miss a planted fault.`,
)
process.exitCode = failures.length === 0 ? 0 : 1
