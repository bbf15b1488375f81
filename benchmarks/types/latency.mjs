// node benchmarks/types/latency.mjs [routes …]   after `npm run build` and `npm ci --prefix benchmarks/types`
//
// What an editor waits for while one types, in one file with an app of plugins of ten routes: for the members of
// `request.query.` in the middle of the file, and for the check of the whole file after the edit. It is measured in
// CPU time, that of all threads together, because other work on the machine does not change it.

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { appText, frameworks } from './apps.mjs'
import { openLanguageServer } from './editor/language-server.mjs'
import { openLanguageService } from './editor/language-service.mjs'
import { compilerOptions } from './measure.mjs'

const ROUNDS = 5
const TIMEOUT_MS = 300_000
const self = fileURLToPath(import.meta.url)
const [first, ...rest] = process.argv.slice(2)

if (first === '--one') await printOne(rest[0] ?? '', rest[1] ?? '', Number(rest[2]))
else printTable(first === undefined ? [300, 1000] : [first, ...rest].map(Number))

/** @param {readonly number[]} sizes */
function printTable(sizes) {
  console.log(`milliseconds of CPU: completion after an edit, check after an edit`)
  for (const compiler of ['5.9', '7.0']) {
    console.log(`\n| TypeScript ${compiler} | ${sizes.map((size) => `${size} routes`).join(' | ')} |`)
    console.log(`| --- | ${sizes.map(() => '---').join(' | ')} |`)
    for (const { name } of frameworks) {
      const cells = sizes.map((size) => {
        const args = [self, '--one', compiler, name, String(size)]
        // A process each: none has warm caches of another.
        const { stdout, status } = spawnSync(process.execPath, args, {
          encoding: 'utf8',
          timeout: TIMEOUT_MS,
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        return status === 0 ? stdout.trim() : `stopped after ${TIMEOUT_MS / 1000} s`
      })
      console.log(`| ${name} | ${cells.join(' | ')} |`)
    }
  }
}

/**
 * @param {string} compiler
 * @param {string} name
 * @param {number} size
 */
async function printOne(compiler, name, size) {
  const framework = frameworks.find((one) => one.name === name)
  if (framework === undefined) throw new Error(`no framework is named '${name}'`)
  const text = appText(framework, size, 'plugins')
  const editor = await openEditor(compiler, `${name.replaceAll(/\W+/g, '-')}-${size}`)
  /** @param {() => Promise<unknown>} work */
  const costOf = async (work) => {
    const start = editor.cpuMs()
    await work()
    return editor.cpuMs() - start
  }
  await editor.open(text)
  await editor.check()
  /** @type {number[]} */
  const completions = []
  for (let round = 0; round < ROUNDS; round++) {
    const at = text.indexOf(`limit > ${Math.floor(size / 2) + round})`)
    await editor.edit(text.slice(0, at) + text.slice(at + 'limit'.length))
    const cost = await costOf(async () => {
      const offered = await editor.complete(at)
      if (!offered.includes('limit')) throw new Error(`${name} completes ${offered.join(', ')}`)
    })
    completions.push(cost)
  }
  const check = await costOf(() => editor.check())
  await editor.close()
  const median = completions.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
  console.log(`${median.toFixed(0)}, ${check.toFixed(0)}`)
}

/**
 * @param {string} compiler
 * @param {string} name
 */
async function openEditor(compiler, name) {
  const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))
  const folder = here(`dist/latency-${compiler}-${name}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }')
  const file = `${folder}/app.ts`
  return compiler === '5.9'
    ? openLanguageService(here('node_modules/typescript59'), file, compilerOptions)
    : openLanguageServer(here('node_modules/typescript'), file, compilerOptions)
}
