/**
 * One measurement in a process of its own: `node measure.js <engine> <shape index>`.
 * Prints nanoseconds of CPU per validation, the best of several samples.
 */
import { isEngineName, loadEngine } from './engine.ts'
import type { Shape } from './shape.ts'
import { shapes } from './shapes.ts'

const [name = '', shapeIndex = ''] = process.argv.slice(2)
const shape = shapes[Number(shapeIndex)]
if (!isEngineName(name) || shape === undefined) throw new Error('Usage: measure.js engine shape-index')

const engine = await loadEngine(name)
const validate = engine(shape.schema, shape.part)
if (!validate(shape.make())) throw new Error(`${name} refuses the valid value of "${shape.name}"`)

const sampleCount = 12
const sampleMs = 20

const sample = shape.mutates ? sampleFresh : sampleSame
let passes = 1
while (sample(shape, passes).ms < sampleMs) passes *= 2
let best = Number.POSITIVE_INFINITY
for (let index = 0; index < sampleCount; index += 1) {
  const { ms, validations } = sample(shape, passes)
  best = Math.min(best, (ms * 1e6) / validations)
}
console.log(best)
process.exit(0)

/** Validates the same few values again and again. */
function sampleSame({ make }: Shape, passCount: number): { ms: number; validations: number } {
  const pool = Array.from({ length: 16 }, make)
  const before = process.cpuUsage()
  for (let pass = 0; pass < passCount; pass += 1) validateAll(pool)
  return { ms: cpuMsSince(before), validations: passCount * pool.length }
}

/** Validates values that are made anew for each pass, outside the clock, since validation changes them. */
function sampleFresh({ make }: Shape, passCount: number): { ms: number; validations: number } {
  const poolSize = 20_000
  let ms = 0
  for (let pass = 0; pass < passCount; pass += 1) {
    const pool = Array.from({ length: poolSize }, make)
    const before = process.cpuUsage()
    validateAll(pool)
    ms += cpuMsSince(before)
  }
  return { ms, validations: passCount * poolSize }
}

function validateAll(pool: readonly unknown[]): void {
  for (const value of pool) if (!validate(value)) throw new Error(`${name} refuses a valid value`)
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const usage = process.cpuUsage(before)
  return (usage.user + usage.system) / 1000
}
