// The sizes of five workers (`scripts/worker-apps`), as a bundler makes them of the build for workers, and as
// `cloister build` does: bytes, and bytes after gzip, which platforms count. A worker that is larger than its figure in `scripts/worker-sizes.json` by more
// than the room is a fault; what has changed is printed. `--write` stores today's figures.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { buildApp } from '../packages/cli/dist/build/build-app.js'

/** How much a worker may grow before it is a fault. */
const ROOM = 0.02

/** @typedef {{ bytes: number, gzip: number }} Size */

const root = process.cwd()
const apps = path.join(root, 'scripts/worker-apps')
const file = path.join(root, 'scripts/worker-sizes.json')
/** @type {Record<string, Size>} */
const stored = JSON.parse(readFileSync(file, 'utf8'))

/** @param {string} input @returns {Promise<Size>} */
async function sizeOf(input) {
  const build = await rolldown({
    input,
    platform: 'browser',
    resolve: { conditionNames: ['cloister-lean', 'workerd', 'import'] },
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  return measure(Buffer.from(output[0].code))
}

/** @param {string} file @returns {Promise<Size>} */
async function sizeOfBuilt(file) {
  const { bundle, proof, unsealed } = await buildApp(
    {
      file,
      target: 'workerd',
      out: path.join(root, 'node_modules/.cache/worker-sizes/built.mjs'),
      seals: true,
      codeCache: false,
      external: [],
      methods: ['GET', 'HEAD', 'OPTIONS'],
      requests: [],
    },
    root,
  )
  if (unsealed !== null) throw new Error(`${file} is not sealed: ${unsealed}`)
  if (proof.differences.length > 0) throw new Error(`${file} responds differently when it is built`)
  return measure(bundle.code)
}

/** @param {Uint8Array} code @returns {Size} */
function measure(code) {
  return { bytes: code.length, gzip: gzipSync(code, { level: 9 }).length }
}

/** @type {Record<string, Size>} */
const sizes = {}
for (const name of readdirSync(apps)) {
  const [file, short] = [path.join(apps, name), path.parse(name).name]
  sizes[short] = await sizeOf(file)
  sizes[`${short}, built`] = await sizeOfBuilt(file)
}
if (process.argv.includes('--write')) writeFileSync(file, `${JSON.stringify(sizes, null, 2)}\n`)
const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} KB`
for (const [name, { bytes, gzip }] of Object.entries(sizes)) {
  const before = stored[name]
  const change =
    before === undefined ? ' (new)' : gzip === before.gzip ? '' : ` (was ${kilobytes(before.gzip)})`
  console.log(`${name.padEnd(24)} ${kilobytes(bytes)}, ${kilobytes(gzip)} after gzip${change}`)
}
const large = Object.keys(sizes).filter((name) => {
  const [now, before] = [sizes[name]?.gzip ?? 0, stored[name]?.gzip ?? 0]
  return now > before * (1 + ROOM)
})
for (const name of large)
  console.log(`the worker ${name} is larger than its figure in scripts/worker-sizes.json`)
process.exitCode = large.length === 0 || process.argv.includes('--write') ? 0 : 1
