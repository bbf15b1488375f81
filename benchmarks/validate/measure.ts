/**
 * One measurement in a process of its own: `node measure.js <engine> <shape index>`.
 * Prints nanoseconds of CPU per validation, the best of several samples.
 */
import { isEngineName, loadEngine } from './engine.ts'
import { shapes } from './shapes.ts'

const [name = '', shapeIndex = ''] = process.argv.slice(2)
const shape = shapes[Number(shapeIndex)]
if (!isEngineName(name) || shape === undefined) throw new Error('Usage: measure.js engine shape-index')

const engine = await loadEngine(name)
const validate = engine(shape.schema, shape.part)
if (!validate(shape.make())) throw new Error(`${name} refuses the valid value of "${shape.name}"`)

const sampleCount = 12
const sampleMs = 20
const poolSize = shape.mutates ? 20_000 : 16

let passes = 1
while (sample(passes).ms < sampleMs) passes *= 2
let best = Number.POSITIVE_INFINITY
for (let index = 0; index < sampleCount; index += 1) {
  const { ms, validations } = sample(passes)
  best = Math.min(best, (ms * 1e6) / validations)
}
console.log(best)
process.exit(0)

/** Validates every value of a pool; a pool of changing values is made anew for each pass, outside the clock. */
function sample(passCount: number): { ms: number; validations: number } {
  let ms = 0
  let accepted = 0
  let pool = makePool()
  for (let pass = 0; pass < passCount; pass += 1) {
    if (shape?.mutates) pool = makePool()
    const repeats = shape?.mutates ? 1 : 200
    const before = process.cpuUsage()
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      for (const value of pool) if (validate(value)) accepted += 1
    }
    const usage = process.cpuUsage(before)
    ms += (usage.user + usage.system) / 1000
  }
  if (accepted === 0) throw new Error('Nothing was accepted')
  return { ms, validations: accepted }
}

function makePool(): unknown[] {
  return Array.from({ length: poolSize }, () => shape?.make())
}
