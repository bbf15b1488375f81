// Checks the packages as their users get them: builds and packs them, checks them with publint and attw, and
// installs them in an empty project where `import` and `require` must both work.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repository, run } from './lib/run.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'packages-'))
/** @type {string[]} */
const faults = []

/** @param {string} what @param {readonly string[]} command @param {string} [cwd] */
async function step(what, command, cwd = repository) {
  const { code, output } = await run(command, { cwd })
  console.log(`${code === 0 ? 'ok ' : 'RED'} ${what}`)
  if (code !== 0) faults.push(`${what}:\n${output.trim()}`)
}

function publishedPackages() {
  return readdirSync(path.join(repository, 'packages')).flatMap((name) => {
    const file = path.join(repository, 'packages', name, 'package.json')
    const manifest = /** @type {{ name: string, private?: boolean }} */ (
      JSON.parse(readFileSync(file, 'utf8'))
    )
    return manifest.private === true ? [] : [{ name: manifest.name, folder: path.dirname(file) }]
  })
}

/** Returns the entries for programs of ours, which only have ES modules. @param {string} source */
function modulesOf(source) {
  /** @type {{ exports?: Record<string, { default?: unknown }> }} */
  const { exports = {} } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'))
  return Object.keys(exports).filter(
    (entry) => entry.endsWith('/internal') && typeof exports[entry]?.default === 'string',
  )
}

/** @param {string} cwd @returns {string} path of the tarball */
function pack(cwd) {
  const response = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  /** @type {Record<string, { filename: string }>} */
  const report = JSON.parse(response)
  const [packed] = Object.values(report)
  if (packed === undefined) throw new Error(`npm pack said nothing about ${cwd}`)
  return path.join(folder, packed.filename)
}

const SMOKE = {
  'import.mjs': `import cloister, { cloister as named, errorCodes } from 'cloister'
import { createRequire } from 'node:module'
if (cloister !== named || typeof errorCodes !== 'object') throw new Error('the names of cloister differ')
const app = cloister()
app.get('/', async () => ({ hello: 'world' }))
const response = await app.inject('/')
if (response.body !== '{"hello":"world"}') throw new Error('unexpected response ' + response.body)
await app.close()
`,
  'require.cjs': `const cloister = require('cloister')
const names = [cloister.cloister, cloister.fastify, cloister.default]
if (typeof cloister !== 'function' || names.some((one) => one !== cloister)) throw new Error('cloister is no function')
require('@cloister/plugin')
require('@cloister/bearer-auth')
require('@cloister/cli')
require('@cloister/explorer')
require('@cloister/openapi')
require('@cloister/openapi/contract')
require('@cloister/openapi/schema')
require('@cloister/operate')
require('@cloister/otel')
require('@cloister/state')
require('@cloister/state/conformance')
require('@cloister/state/topics')
require('@cloister/web')
require('@cloister/websocket')
require('@cloister/mcp')
require('@cloister/client')
require('@cloister/client/follow')
require('@cloister/client/integers')
require('@cloister/client/query')
require('@cloister/schema')
require('@cloister/wire')
`,
  // The suite for authors of stores.
  'conformance.mjs': `import { test } from 'node:test'
import { memoryState } from '@cloister/state'
import { testState } from '@cloister/state/conformance'
const store = memoryState()
testState({ test: (title, run) => test(title, run), open: () => store, histories: 10 })
`,
}

await step('build', [process.execPath, 'scripts/build.mjs'])
const packages = publishedPackages().map((one) => ({ ...one, tarball: pack(one.folder) }))
for (const { name, tarball, folder: source } of packages) {
  await step(`publint ${name}`, ['publint', '--strict', tarball])
  const modules = modulesOf(source).flatMap((entry) => ['--exclude-entrypoints', entry])
  await step(`attw ${name}`, ['attw', tarball, '--profile', 'node16', ...modules])
}

const consumer = path.join(folder, 'consumer')
execFileSync('mkdir', [consumer])
const dependencies = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
// Our packages depend on each other by version; here each is overridden by its packed file.
writeFileSync(
  path.join(consumer, 'package.json'),
  JSON.stringify({ private: true, dependencies, overrides: dependencies }),
)
await step(
  'install in an empty project',
  ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'],
  consumer,
)
for (const [file, text] of Object.entries(SMOKE)) {
  writeFileSync(path.join(consumer, file), text)
  await step(file, [process.execPath, file], consumer)
}
const move = ['--no-proof', '--dry-run', '--force']
const toMove = path.join(folder, 'to-move')
execFileSync('mkdir', [toMove])
writeFileSync(path.join(toMove, 'package.json'), JSON.stringify({ dependencies: { fastify: '^5.0.0' } }))
const bin = path.join(consumer, 'node_modules/.bin')
await step('cloister-migrate', [path.join(bin, 'cloister-migrate'), ...move], toMove)
await step('cloister migrate', [path.join(bin, 'cloister'), 'migrate', ...move], toMove)
rmSync(folder, { recursive: true, force: true })

if (faults.length > 0) console.log(`\n${faults.join('\n\n')}`)
console.log(faults.length === 0 ? '\nThe packages are fit to be published.' : `\n${faults.length} faults.`)
process.exitCode = faults.length === 0 ? 0 : 1
