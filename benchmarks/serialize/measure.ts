/**
 * One measurement in a process of its own: `node measure.js <engine> <shape index>`.
 * Prints nanoseconds of CPU per response, the best of several samples. A response is the text, its length
 * in bytes and its bytes: a string that was only put together has not been paid for yet.
 */
import { isEngineName, loadEngine } from './engine.ts'
import { shapes } from './shapes.ts'

const [name = '', shapeIndex = ''] = process.argv.slice(2)
const shape = shapes[Number(shapeIndex)]
if (!isEngineName(name) || shape === undefined) throw new Error('Usage: measure.js engine shape-index')

const serialize = (await loadEngine(name))(shape.schema)
const pool = Array.from({ length: shape.variants }, (_, variant) => shape.make(variant))
const buffer = Buffer.allocUnsafe(Math.max(...pool.map((value) => Buffer.byteLength(serialize(value)))))

const sampleCount = 12
const sampleMs = 15

let repeats = 1
while (sample(repeats) < sampleMs) repeats *= 2
let best = Number.POSITIVE_INFINITY
for (let index = 0; index < sampleCount; index += 1) {
  best = Math.min(best, (sample(repeats) * 1e6) / repeats)
}
console.log(best)
process.exit(0)

function sample(count: number): number {
  let written = 0
  const before = process.cpuUsage()
  for (let repeat = 0; repeat < count; repeat += 1) {
    const text = serialize(pool[repeat % pool.length])
    written += Buffer.byteLength(text) + buffer.write(text, 0)
  }
  const usage = process.cpuUsage(before)
  if (written === 0) throw new Error('Nothing was written')
  return (usage.user + usage.system) / 1000
}
