/**
 * `npm run refusals -w @cloister/benchmarks -- --help`: what it costs to refuse a request.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bootSubjectNames, isBootSubjectName, type BootSubjectName } from '../boot/subject.ts'
import { nodeVersion } from '../support/node.ts'
import { describeLoad } from '../support/pin.ts'
import { median, rotate } from '../support/statistics.ts'
import { formatTable } from '../support/table.ts'
import type { RefusalFigures } from './measure.ts'

const help = `Options:
  --subjects a,b   what refuses (${bootSubjectNames.join(',')})
  --repeat n       processes per subject; the median is printed (5)
  --node path      node binary to measure with (this one)`

const { values } = parseArgs({
  options: {
    subjects: { type: 'string', default: 'cloister-auto,fastify5' },
    repeat: { type: 'string', default: '5' },
    node: { type: 'string', default: process.execPath },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else run()

function run(): void {
  const subjects = values.subjects.split(',').filter(isBootSubjectName)
  console.log(`Node ${nodeVersion(values.node)}; load average before: ${describeLoad()}`)
  console.log('CPU of a refused request through injection; 100 routes with different schemas')
  const runs = new Map<BootSubjectName, RefusalFigures[]>(subjects.map((subject) => [subject, []]))
  for (let round = 0; round < Number(values.repeat); round += 1) {
    for (const subject of rotate(subjects, round)) runs.get(subject)?.push(measureOnce(subject))
  }
  const rows = [...runs].map(([subject, figures]) => [
    subject,
    median(figures.map(({ processMs }) => processMs)).toFixed(1),
    median(figures.map(({ schemaMs }) => schemaMs)).toFixed(2),
    median(figures.map(({ warmMs }) => warmMs * 1000)).toFixed(0),
  ])
  console.log(formatTable(['subject', 'first of the process, ms', 'first of a schema, ms', 'warm, µs'], rows))
  console.log(`\nLoad average after: ${describeLoad()}`)
}

function measureOnce(subject: BootSubjectName): RefusalFigures {
  const script = fileURLToPath(new URL('./measure.js', import.meta.url))
  const output = execFileSync(values.node, [script, subject], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output)
}
