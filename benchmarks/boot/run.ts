/**
 * `npm run boot -w @cloister/benchmarks -- --help`: what a boot with schemas costs.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { topSelfTimes } from '../support/cpu-profile.ts'
import { nodeVersion } from '../support/node.ts'
import { describeLoad } from '../support/pin.ts'
import { median, rotate } from '../support/statistics.ts'
import { isLayout, layouts, type Layout } from './app.ts'
import type { BootFigures } from './measure.ts'
import { printContextCost, printGroup, printRouteCost, type Row } from './report.ts'
import { bootSubjectNames, isBootSubjectName, type BootSubjectName } from './subject.ts'

const help = `Options:
  --subjects a,b   what to boot (${bootSubjectNames.join(',')})
  --routes a,b     numbers of routes (10,100,500,2000)
  --layouts a,b    where the routes live (${layouts.join(',')})
  --repeat n       processes per figure; the median is printed (3)
  --node path      node binary to measure with (this one)
  --cpu-profile d  afterwards profile each boot into the folder d and print the functions with most self time
  --json file      write all figures`

const { values } = parseArgs({
  options: {
    subjects: { type: 'string', default: bootSubjectNames.join(',') },
    routes: { type: 'string', default: '10,100,500,2000' },
    layouts: { type: 'string', default: layouts.join(',') },
    repeat: { type: 'string', default: '3' },
    node: { type: 'string', default: process.execPath },
    'cpu-profile': { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else run()

function run(): void {
  const subjects = values.subjects.split(',').filter(isBootSubjectName)
  const chosenLayouts = values.layouts.split(',').filter(isLayout)
  const version = nodeVersion(values.node)
  console.log(`Node ${version}; load average before: ${describeLoad()}`)
  console.log(
    'CPU of construction and ready(), heap after collection (growth), RSS at ready, CPU of a first request',
  )
  const rows: Row[] = []
  for (const layout of chosenLayouts) {
    for (const routes of values.routes.split(',').map(Number)) {
      const group = measureGroup(subjects, routes, layout)
      rows.push(...group)
      printGroup(group)
    }
  }
  printRouteCost(rows)
  printContextCost(rows)
  console.log(`\nLoad average after: ${describeLoad()}`)
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, null, 2))
  if (values['cpu-profile'] !== undefined) profileBoots(rows, values['cpu-profile'])
}

function profileBoots(rows: readonly Row[], folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const { subject, routes, layout } of rows) {
    const file = join(folder, `boot-${subject}-${routes}-${layout}.cpuprofile`)
    measureOnce(subject, routes, layout, [file])
    console.log(`\n${subject}, ${routes} routes, ${layout}: self time (${file})`)
    for (const { name, share } of topSelfTimes(JSON.parse(readFileSync(file, 'utf8')), 20)) {
      console.log(`  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`)
    }
  }
}

function measureGroup(subjects: readonly BootSubjectName[], routes: number, layout: Layout): Row[] {
  const runs = new Map<BootSubjectName, BootFigures[]>(subjects.map((subject) => [subject, []]))
  for (let round = 0; round < Number(values.repeat); round += 1) {
    for (const subject of rotate(subjects, round)) {
      runs.get(subject)?.push(measureOnce(subject, routes, layout))
    }
  }
  return [...runs].map(([subject, all]) => ({ subject, routes, layout, figures: mediansOf(all) }))
}

function measureOnce(
  subject: BootSubjectName,
  routes: number,
  layout: Layout,
  profile: readonly string[] = [],
): BootFigures {
  const script = fileURLToPath(new URL('./measure.js', import.meta.url))
  const output = execFileSync(
    values.node,
    ['--expose-gc', script, subject, String(routes), layout, ...profile],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  return JSON.parse(output)
}

function mediansOf(all: readonly BootFigures[]): BootFigures {
  const of = (figure: (figures: BootFigures) => number): number => median(all.map(figure))
  return {
    importMs: of((f) => f.importMs),
    readyMs: of((f) => f.readyMs),
    heapMb: of((f) => f.heapMb),
    rssMb: of((f) => f.rssMb),
    firstHitMedianMs: of((f) => f.firstHitMedianMs),
    firstHitMostMs: of((f) => f.firstHitMostMs),
    warmHitMedianMs: of((f) => f.warmHitMedianMs),
  }
}
