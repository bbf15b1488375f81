// node benchmarks/types/clients/run.mjs [--only NAME] [--compiler typescript6] [routes …]
// after `npm run build` and `npm ci --prefix benchmarks/types/clients`
//
// What 100 calls of a typed client cost the compiler: instantiations, CPU seconds, memory.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { browserOptions, readCost, STATISTICS } from '../compiler.mjs'
import { subjects } from './subjects.mjs'

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' }, compiler: { type: 'string', default: 'typescript7' } },
  allowPositionals: true,
})
const sizes = positionals.length > 0 ? positionals.map(Number) : [500, 1000]
const tsc = here(`node_modules/${values.compiler}/bin/tsc`)
if (!existsSync(tsc)) throw new Error('not installed: npm ci --prefix benchmarks/types/clients')

console.log(
  `100 calls; ${values.compiler}: instantiations (thousands), CPU seconds, memory (MB), written types (kB)\n`,
)
console.log(`| client | ${sizes.map((size) => `${size} routes`).join(' | ')} |`)
console.log(`| --- | ${sizes.map(() => '---').join(' | ')} |`)
for (const subject of subjects.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()))) {
  const cells = []
  for (const size of sizes) cells.push(await measure(subject, size))
  console.log(`| ${subject.name} | ${cells.join(' | ')} |`)
}

/** @param {import('./subjects.mjs').Subject} subject @param {number} routes @returns {Promise<string>} */
async function measure(subject, routes) {
  const folder = here(`dist/${subject.name.replaceAll(/\W+/g, '-')}-${routes}`)
  rmSync(folder, { recursive: true, force: true })
  const files = await subject.files(routes, folder)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }')
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({ compilerOptions: browserOptions, files: ['calls.ts'] }),
  )
  const written = Object.entries(files).find(([name]) => name.endsWith('.d.ts'))?.[1].length
  return `${compile(folder)}${written === undefined ? '' : `, ${Math.round(written / 1024)} kB`}`
}

/** The shell counts the time of the compiler with all of its threads. @param {string} folder */
function compile(folder) {
  const command = `TIMEFORMAT='CPU %U %S'; time "${process.execPath}" "${tsc}" -p "${folder}" ${STATISTICS.join(' ')}`
  const { stdout, stderr } = spawnSync('bash', ['-c', command], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 600_000,
  })
  const { instantiations, memoryMb, problems } = readCost(stdout)
  const [, user, system] = /CPU ([\d.]+) ([\d.]+)/.exec(stderr) ?? []
  const cost = `${(instantiations / 1000).toFixed(1)}k, ${(Number(user) + Number(system)).toFixed(1)} s, ${memoryMb} MB`
  return problems.length === 0 ? cost : `${cost}; ${problems.length} errors (${problems[0]})`
}
