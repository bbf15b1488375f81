// node benchmarks/types/check-plugins.mjs   after `npm run build` and `npm ci --prefix benchmarks/types`
//
// The declarations of published plugins, of both lines, with skipLibCheck off, where `fastify` is `@cloister/fastify`:
// on every compiler they have the errors that they have among themselves, with Fastify too, and no other.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const compilers = ['typescript59', 'typescript6', 'typescript']

// What they have with Fastify too: types of other packages that are not installed, and two plugins of which an app
// has one, since they declare the same name.
const ownErrors = [
  /error TS(7016|2307):/,
  /cookie\S* error TS2300: Duplicate identifier 'setCookieWrapper'/,
  /express\S* error TS2300: Duplicate identifier 'use'/,
  /middie\S* error TS2300: Duplicate identifier 'use'/,
  /session\S* error TS2717: .* Property 'session' must be of type/,
]

/** @typedef {{ devDependencies: Record<string, string> }} Manifest */
/** @type {Manifest} */
const { devDependencies } = JSON.parse(readFileSync(here('../../conformance/plugins/package.json'), 'utf8'))
const isPlugin = /^(npm:)?@fastify\//
const names = Object.keys(devDependencies).filter(
  (name) => isPlugin.test(`${devDependencies[name]}`) || isPlugin.test(name),
)
const lines = {
  'line 4.x': names.filter((name) => name.endsWith('-4')),
  'line 5.x': names.filter((name) => name.startsWith('@fastify/')),
}

const entry = here('../../packages/fastify/dist/bundle/index.d.cts')
if (!existsSync(entry)) throw new Error(`${entry} is not there: npm run build`)

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  noEmit: true,
  skipLibCheck: false,
}
const types = here('../../packages/cloister/dist/bundle/types.d.cts')

for (const [line, plugins] of Object.entries(lines)) {
  const folder = projectOf(line, plugins, { fastify: [entry], 'fastify/types/*': [types] })
  for (const compiler of compilers)
    report(`${line}, ${plugins.length} plugins, ${compiler}`, check(compiler, folder))
}

/**
 * A project that imports all plugins of a line; gives its folder.
 *
 * @param {string} name
 * @param {readonly string[]} plugins
 * @param {Record<string, readonly string[]>} paths
 */
function projectOf(name, plugins, paths) {
  const folder = here(`dist/plugins-${name.replaceAll(/\W+/g, '-')}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }')
  writeFileSync(
    `${folder}/app.ts`,
    `import fastify from 'fastify'\nexport const app: fastify.FastifyInstance = fastify()\n${plugins
      .map((plugin, index) => `import * as p${index} from '${plugin}'\nexport { p${index} }\n`)
      .join('')}`,
  )
  const options = { ...compilerOptions, paths }
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions: options, files: ['app.ts'] }))
  return folder
}

/**
 * @param {string} name
 * @param {string} folder
 */
function check(name, folder) {
  const tsc = here(`node_modules/${name}/bin/tsc`)
  if (!existsSync(tsc)) throw new Error(`${name} is not installed: npm ci --prefix benchmarks/types`)
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  return stdout
    .split('\n')
    .filter((text) => /error TS\d+/.test(text) && !ownErrors.some((own) => own.test(text)))
}

/**
 * @param {string} title
 * @param {readonly string[]} problems
 */
function report(title, problems) {
  console.log(`${title}: ${problems.length === 0 ? 'no problem' : 'problems'}`)
  if (problems.length === 0) return
  console.log(problems.join('\n'))
  process.exitCode = 1
}
