// `npm run fuzz:guided`: runs the coverage-guided fuzz targets of `@cloister/wire` one after another. `-- --seconds
// 60` is the time for each, `--target connections` runs only one, `--keep` writes the inputs with the most coverage
// into `conformance/fuzz/corpus`, `--missing` prints what was never reached, `--sources FOLDER` fuzzes a copy of the
// repository. `CLOISTER_SEED=N` repeats a run, as far as its time allows.
import { randomInt } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { rolldown } from 'rolldown'
import { repository } from './lib/run.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    target: { type: 'string' },
    keep: { type: 'boolean', default: false },
    missing: { type: 'boolean', default: false },
    sources: { type: 'string', default: repository },
  },
})
const seed = Number(process.env['CLOISTER_SEED'] ?? randomInt(2 ** 31))
const LONGEST = 8192
/** One input takes a few milliseconds. */
const HANG_MS = 120_000
const NAMES = ['heads', 'chunks', 'connections', 'responses']

/** @param {string} name */
const corpusOf = (name) => path.join(repository, 'conformance/fuzz/corpus', `guided-${name}.json`)

/**
 * @typedef {{ inputs: number, cpuSeconds: number, blocks: number, kept: number, distilled: string[], missing: string[] }} Done
 *
 * @typedef {{ finding?: { input: string, faults: string[], inputs: number }, done?: Done }} Message
 */

/** Fuzzes one target. @param {string} name @returns {Promise<number>} the number of findings */
function fuzz(name) {
  const current = new SharedArrayBuffer(LONGEST)
  const counts = new Int32Array(current, 0, 2)
  /** @type {string[]} */
  const kept = JSON.parse(readFileSync(corpusOf(name), 'utf8'))
  const workerData = { bundles, target: name, kept, seed, seconds: Number(values.seconds), current }
  const worker = new Worker(path.join(import.meta.dirname, 'lib/guided-fuzz.mjs'), { workerData })
  const beganAt = performance.now()
  let findings = 0
  return new Promise((resolve, reject) => {
    let last = -1
    const watch = setInterval(() => {
      const now = Atomics.load(counts, 0)
      if (now !== last) {
        last = now
        return
      }
      const input = Buffer.from(new Uint8Array(current, 8, counts[1])).toString('latin1')
      console.log(`${name}: no end of ${JSON.stringify(input)}`)
      findings++
      void worker.terminate()
    }, HANG_MS)
    worker.on('message', (/** @type {Message} */ { finding, done }) => {
      if (finding !== undefined) {
        findings++
        const seconds = ((performance.now() - beganAt) / 1000).toFixed(1)
        console.log(
          `${name}: after ${finding.inputs} inputs and ${seconds} s: ${JSON.stringify(finding.input)}`,
        )
        for (const fault of finding.faults) console.log(`  ${fault}`)
      }
      if (done === undefined) return
      const { inputs, cpuSeconds, blocks, distilled, missing } = done
      console.log(
        `${name}: ${inputs} inputs, ${cpuSeconds.toFixed(0)} s of CPU, ${blocks} blocks, ${distilled.length} inputs reach all of them`,
      )
      if (values.missing)
        for (const piece of missing)
          console.log(`  never reached: ${piece.replaceAll(/\s+/g, ' ').slice(0, 150)}`)
      if (values.keep && findings === 0)
        writeFileSync(corpusOf(name), `${JSON.stringify(distilled, null, 1)}\n`)
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      clearInterval(watch)
      resolve(findings)
    })
  })
}

console.log(`CLOISTER_SEED=${seed}`)
const bundles = path.join(repository, `node_modules/.fuzz-guided-${process.pid}`)
const bundle = await rolldown({
  input: path.join(values.sources, 'conformance/fuzz/guided/targets.ts'),
  platform: 'node',
  tsconfig: false,
})
// The sources whose coverage counts are bundled into a separate file.
const groups = [{ name: 'watched', test: /packages\/wire\/src/ }]
await bundle.write({
  dir: bundles,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name].mjs',
  codeSplitting: { groups },
})
await bundle.close()
let findings = 0
let targets = 0
try {
  for (const name of NAMES) {
    if (values.target !== undefined && values.target !== name) continue
    targets++
    if ((await fuzz(name)) > 0) findings++
  }
} finally {
  rmSync(bundles, { recursive: true })
}
console.log(`${targets - findings} passed, ${findings} failed`)
process.exitCode = findings === 0 ? 0 : 1
