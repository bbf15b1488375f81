/**
 * `npm run validate -w @cloister/benchmarks -- --help`: validation of valid request parts.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nodeVersion } from '../support/node.ts'
import { describeLoad } from '../support/pin.ts'
import { geometricMean, median, rotate } from '../support/statistics.ts'
import { formatRatio, formatTable } from '../support/table.ts'
import { engineNames, isEngineName, type EngineName } from './engine.ts'
import { shapes } from './shapes.ts'

const help = `Options:
  --engines a,b   engines to run (${engineNames.join(',')})
  --only text     only shapes whose name contains the text
  --repeat n      processes per engine and shape; the median is printed (3)
  --node path     node binary to measure with (this one)`

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: engineNames.join(',') },
    only: { type: 'string', default: '' },
    repeat: { type: 'string', default: '3' },
    node: { type: 'string', default: process.execPath },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else run()

function run(): void {
  const engines = values.engines.split(',').filter(isEngineName)
  const version = nodeVersion(values.node)
  console.log(`Node ${version}; load average before: ${describeLoad()}; nanoseconds of CPU per validation`)
  const ratios: number[] = []
  const slowdowns: number[] = []
  const rows = shapes.flatMap((shape, index) => {
    if (!shape.name.includes(values.only)) return []
    const times = measureShape(engines, index)
    const ratio = (times.get('cloister') ?? Number.NaN) / (times.get('ajv') ?? Number.NaN)
    if (Number.isFinite(ratio)) ratios.push(ratio)
    const slowdown = (times.get('closures') ?? Number.NaN) / (times.get('cloister') ?? Number.NaN)
    if (Number.isFinite(slowdown)) slowdowns.push(slowdown)
    const figures = engines.map((name) => times.get(name)?.toFixed(0) ?? '-')
    return [[shape.name, ...figures, formatRatio(ratio), formatRatio(slowdown)]]
  })
  console.log(formatTable(['shape', ...engines, 'cloister/ajv', 'closures/cloister'], rows))
  if (slowdowns.length > 0) {
    console.log(`\nclosures/cloister: geometric mean ${formatRatio(geometricMean(slowdowns))}`)
  }
  if (ratios.length > 0) {
    console.log(
      `\ncloister/ajv: geometric mean ${formatRatio(geometricMean(ratios))}, highest ${formatRatio(Math.max(...ratios))}`,
    )
  }
  console.log(`Load average after: ${describeLoad()}`)
}

function measureShape(engines: readonly EngineName[], index: number): Map<EngineName, number> {
  const samples = new Map<EngineName, number[]>(engines.map((name) => [name, []]))
  for (let round = 0; round < Number(values.repeat); round += 1) {
    for (const name of rotate(engines, round)) samples.get(name)?.push(measureOnce(name, index))
  }
  return new Map([...samples].map(([name, all]) => [name, median(all)]))
}

function measureOnce(name: EngineName, index: number): number {
  const script = fileURLToPath(new URL('./measure.js', import.meta.url))
  const output = execFileSync(values.node, [script, name, String(index)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Number(output)
}
