// node benchmarks/types/guards.mjs [routes] [version of TypeScript]   after `npm run build` and `npm ci --prefix benchmarks/types`
//
// What five guards cost the compiler: instantiations of types for each app, on three compilers.
import { fileURLToPath } from 'node:url'
import { guardedApps } from './guarded-apps.mjs'
import { measure } from './measure.mjs'

const routes = Number(process.argv[2] ?? 1000)
const compilers = { 5.4: 'typescript54', 5.9: 'typescript59', '7.0': 'typescript' }

const asked = process.argv[3]

for (const [version, name] of Object.entries(compilers)) {
  if (asked !== undefined && asked !== version) continue
  const tsc = fileURLToPath(new URL(`node_modules/${name}/bin/tsc`, import.meta.url))
  let least = Number.NaN
  for (const app of guardedApps) {
    const named = { ...app, name: `guards ${version} ${app.name}` }
    // TypeScript 5.4 does not know the target of the other measurements.
    const { instantiations, problems } = measure(
      named,
      routes,
      'chain',
      { target: 'es2022', lib: ['es2023'] },
      tsc,
    )
    least = Number.isNaN(least) ? instantiations : least
    const ratio = (instantiations / least).toFixed(3)
    const failed = problems.length === 0 ? '' : `; ${problems.length} errors: ${problems[0]}`
    console.log(`TypeScript ${version}, ${routes} routes, ${app.name}: ${instantiations}, ${ratio}x${failed}`)
  }
}
