// node benchmarks/types/run.mjs [routes …]   after `npm run build` and `npm ci --prefix benchmarks/types`

import { frameworks } from './apps.mjs'
import { measure } from './measure.mjs'

const given = process.argv.slice(2).map(Number)
const sizes = given.length > 0 ? given : [50, 200, 1000]

console.log(
  `check of one app: instantiations (thousands), seconds, memory (MB); TypeScript of this repository`,
)
for (const style of /** @type {const} */ (['chain', 'plugins'])) {
  console.log(`\n| ${style} | ${sizes.map((size) => `${size} routes`).join(' | ')} | a route more |`)
  console.log(`| --- | ${sizes.map(() => '---').join(' | ')} | --- |`)
  for (const framework of frameworks) {
    const costs = sizes.map((size) => measure(framework, size, style))
    console.log(`| ${framework.name} | ${costs.map(cell).join(' | ')} | ${slope(costs)} |`)
  }
}

/** @param {import('./measure.mjs').Cost} cost */
function cell({ instantiations, checkMs, memoryMb, problems }) {
  const figures = `${Math.round(instantiations / 1000)}k, ${(checkMs / 1000).toFixed(2)} s, ${memoryMb} MB`
  const deep = problems.some((line) => line.includes('TS2589'))
  return problems.length === 0
    ? figures
    : `${figures}; ${deep ? 'excessively deep' : `${problems.length} errors`}`
}

/** @param {readonly import('./measure.mjs').Cost[]} costs */
function slope(costs) {
  const first = costs[0]
  const last = costs.at(-1)
  if (first === undefined || last === undefined || costs.length < 2) return ''
  const routes = (sizes.at(-1) ?? 0) - (sizes[0] ?? 0)
  return `${Math.round((last.instantiations - first.instantiations) / routes)} instantiations`
}
