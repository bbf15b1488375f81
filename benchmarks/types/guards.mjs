// node benchmarks/types/guards.mjs [routes]   after `npm run build` and `npm ci --prefix benchmarks/types`
//
// Instantiations of types for an app behind five guards, beside five decorations of requests, and beside neither. Guards
// also have values that are objects, which a decoration of requests cannot have. The compiler visits an object type
// without a name with each route, a declared one never.
import { frameworks, registering } from './apps.mjs'
import { measure } from './measure.mjs'

const routes = Number(process.argv[2] ?? 1000)
const NAMES = ['one', 'two', 'three', 'four', 'five']
const [plain] = frameworks
if (plain === undefined) throw new Error('no framework')

const declarations = NAMES.map((name) => `interface Of_${name} { readonly ${name}: string }\n`)
const head = `${plain.head}${declarations.join('')}`

/** @param {(name: string) => string} call */
const chained = (call) => `cloister()${NAMES.map(call).join('')}`

const SUBJECTS = {
  neither: 'cloister()',
  'five decorations': chained((name) => `.decorateRequest('${name}', '')`),
  'five guards, texts': chained((name) => `.addGuard('${name}', (request) => request.id)`),
  'five guards, declared objects': chained(
    (name) => `.addGuard('${name}', (): Of_${name} => ({ ${name}: '' }))`,
  ),
  'five guards, objects': chained((name) => `.addGuard('${name}', () => ({ ${name}: '' }))`),
}

for (const [name, make] of Object.entries(SUBJECTS)) {
  const { instantiations, problems } = measure(
    { ...plain, head, name: `guards, ${name}`, app: registering(make) },
    routes,
    'chain',
  )
  const failed = problems.length === 0 ? '' : `; ${problems.length} errors: ${problems[0]}`
  console.log(`${routes} routes, ${name}: ${instantiations} instantiations${failed}`)
}
