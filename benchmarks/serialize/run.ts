/**
 * `npm run serialize -w @cloister/benchmarks -- --help`: responses as text, beside fast-json-stringify.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nodeVersion } from '../support/node.ts'
import { describeLoad } from '../support/pin.ts'
import { geometricMean, rotate } from '../support/statistics.ts'
import { formatRatio, formatTable } from '../support/table.ts'
import { engineNames, isEngineName, type EngineName } from './engine.ts'
import { shapes } from './shapes.ts'
import { printWrongInputs } from './wrong-inputs.ts'

const help = `Options:
  --engines a,b   engines to run (${engineNames.join(',')})
  --shapes a,b    shapes to run (all)
  --repeat n      processes per engine and shape; the best is printed (3)
  --node path     node binary to measure with (this one)
  --wrong         print only the inputs on which fast-json-stringify is silently wrong`

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: 'cloister,fjs7,fjs5,json' },
    shapes: { type: 'string', default: '' },
    repeat: { type: 'string', default: '3' },
    node: { type: 'string', default: process.execPath },
    wrong: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else if (values.wrong) printWrongInputs()
else {
  measureAll()
  console.log('\nInputs on which fast-json-stringify is silently wrong:\n')
  printWrongInputs()
}

function measureAll(): void {
  const engines = values.engines.split(',').filter(isEngineName)
  const wanted = values.shapes === '' ? undefined : values.shapes.split(',')
  const version = nodeVersion(values.node)
  console.log(`Node ${version}; load average before: ${describeLoad()}; nanoseconds of CPU per response`)
  const gains = new Map<EngineName, number[]>(engines.map((name) => [name, []]))
  const rows = shapes.flatMap((shape, index) => {
    if (wanted !== undefined && !wanted.includes(shape.name)) return []
    const measured = engines.filter((name) => name !== 'json' || shape.isJson)
    const times = measureShape(measured, index)
    const peer = times.get('fjs7') ?? Number.NaN
    const ratios = engines.map((name) => {
      const ratio = peer / (times.get(name) ?? Number.NaN)
      if (Number.isFinite(ratio)) gains.get(name)?.push(ratio)
      return formatRatio(ratio)
    })
    return [[shape.name, ...engines.map((name) => times.get(name)?.toFixed(0) ?? '-'), ...ratios]]
  })
  console.log(formatTable(['shape', ...engines, ...engines.map((name) => `fjs7/${name}`)], rows))
  for (const [name, all] of gains) {
    console.log(
      `fjs7/${name}: geometric mean ${formatRatio(geometricMean(all))}, lowest ${formatRatio(Math.min(...all))}`,
    )
  }
  console.log(`Load average after: ${describeLoad()}`)
}

function measureShape(engines: readonly EngineName[], index: number): Map<EngineName, number> {
  const best = new Map<EngineName, number>()
  for (let round = 0; round < Number(values.repeat); round += 1) {
    for (const name of rotate(engines, round)) {
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, measureOnce(name, index)))
    }
  }
  return best
}

function measureOnce(name: EngineName, index: number): number {
  const script = fileURLToPath(new URL('./measure.js', import.meta.url))
  const output = execFileSync(values.node, [script, name, String(index)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Number(output)
}
