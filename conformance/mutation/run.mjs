// Mutation testing: changes the sources of the rooms that guard, one place at a time, and runs the suites of the room.
//
//   node conformance/mutation/run.mjs [--check] [--mutate GLOB] [--kept FOLDER] [room …]
//
// Without a room all of them run; `--check` takes those that are quick; `--mutate` takes some files of the rooms.
// `--kept` keeps the results there, one file for each room: the next run repeats mutants of changed lines, and survivors
// that a new test reaches. It sees neither a test that changed under its old name nor a change of another source.
// Exit code 1 when a mutant survives that has no reason in accepted.json.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { repository, run } from '../../scripts/lib/run.mjs'
import { copyProject } from './lib/copy-project.mjs'
import { findReason, findStale, formatFiles, readMutants, survivorsOf } from './lib/survivors.mjs'
import { rooms } from './rooms.mjs'

/** @typedef {import('./lib/survivors.mjs').Mutant} Mutant */

const TIMEOUT_MS = 3 * 3600_000
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    mutate: { type: 'string' },
    kept: { type: 'string' },
  },
})
const installed = path.join(import.meta.dirname, 'node_modules/@stryker-mutator')
if (!existsSync(installed))
  throw new Error('Stryker is not installed; run: npm ci --omit=peer --prefix conformance/mutation')

/** @type {readonly import('./lib/survivors.mjs').Accepted[]} */
const accepted = JSON.parse(readFileSync(path.join(import.meta.dirname, 'accepted.json'), 'utf8'))

/** @param {string} folder @param {string} name @param {import('./rooms.mjs').Room} room @returns {Promise<Mutant[]>} */
async function mutate(folder, name, room) {
  const config = {
    testRunner: 'vitest',
    plugins: [path.join(installed, 'vitest-runner/dist/src/index.js')],
    inPlace: true,
    mutate: values.mutate === undefined ? room.mutate : [values.mutate],
    vitest: { configFile: 'conformance/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // What runs when a module is loaded would need all tests for each mutant.
    ignoreStatic: true,
    // Texts of errors are not what guards.
    mutator: { excludedMutations: ['StringLiteral'] },
    tsconfigFile: 'none.json',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: 'mutation.json' },
    ...(values.kept !== undefined && {
      incremental: true,
      incrementalFile: path.resolve(values.kept, `${name}.json`),
    }),
    concurrency: 1,
    timeoutMS: 15_000,
  }
  writeFileSync(path.join(folder, 'stryker.json'), JSON.stringify(config))
  const stryker = path.join(installed, 'core/bin/stryker.js')
  const { code } = await run([process.execPath, stryker, 'run', 'stryker.json'], {
    cwd: folder,
    env: {
      ...room.env,
      CLOISTER_MUTATION_TESTS: JSON.stringify(room.tests),
      ...(room.testTimeoutMs !== undefined && { CLOISTER_MUTATION_TIMEOUT: String(room.testTimeoutMs) }),
      ...(room.transports !== undefined && { CLOISTER_TRANSPORTS: room.transports.join(',') }),
    },
    echo: true,
    timeoutMs: TIMEOUT_MS,
  })
  if (code !== 0) throw new Error(`Stryker ended with code ${code}; the lines above say why`)
  return readMutants(JSON.parse(readFileSync(path.join(folder, 'mutation.json'), 'utf8')).files)
}

const names = Object.keys(rooms).filter((name) =>
  positionals.length > 0 ? positionals.includes(name) : !values.check || rooms[name]?.inCheck === true,
)
if (names.length === 0)
  throw new Error(`there is no such room; the rooms are ${Object.keys(rooms).join(', ')}`)
const folder = copyProject(repository)
/** @type {Mutant[]} */
const mutants = []
try {
  for (const name of names) {
    const room = rooms[name]
    if (room !== undefined) mutants.push(...(await mutate(folder, name, room)))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const survivors = survivorsOf(mutants)
const unexplained = survivors.filter((mutant) => findReason(accepted, mutant) === undefined)
console.log(`\n${formatFiles(mutants)}`)
for (const { file, line, code, replacement, status } of unexplained)
  console.log(`${status}: ${file}:${line}\n  - ${code}\n  + ${replacement}`)
for (const { file, code, replacement } of findStale(accepted, mutants))
  console.log(`The reason for this one is not needed: ${file}\n  - ${code}\n  + ${replacement}`)
console.log(
  `\n${mutants.length} mutants, ${survivors.length} survived, ${unexplained.length} of them without a reason in accepted.json`,
)
process.exitCode = unexplained.length === 0 ? 0 : 1
