// `npm run router -w @cloister/benchmarks`: CPU time of a lookup and of a start, beside `find-my-way`.
// Targets are made anew for each round, as a socket makes them: strings without a hash that is known.
import { loadavg } from 'node:os'
import findMyWay from 'find-my-way'
import { Router } from '../../packages/cloister/dist/router/router.js'

/** @typedef {'GET' | 'POST' | 'PUT' | 'DELETE'} Method */
/** @typedef {readonly [Method, string]} Route */
/** @typedef {(target: string) => unknown} Find */

const OPTIONS = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  useSemicolonDelimiter: true,
  maxParamLength: 100,
  allowUnsafeRegex: false,
  constraints: null,
}
const ROUNDS = 120
const TARGETS = 4096

/** @type {Route[]} */
const api = 'users orders products carts payments reviews sessions invoices tickets teams'
  .split(' ')
  .flatMap((name) => [
    /** @type {Route} */ (['GET', `/${name}`]),
    ['POST', `/${name}`],
    ['GET', `/${name}/:id`],
    ['PUT', `/${name}/:id`],
    ['DELETE', `/${name}/:id`],
    ['GET', `/${name}/:id/comments`],
    ['GET', `/${name}/:id/comments/:commentId`],
  ])

/** @param {number} count @returns {Route[]} */
function manyRoutes(count) {
  const paths = Array.from({ length: Math.ceil(count / 4) }, (_, i) => `/v${i % 7}/thing${i}`)
  /** @type {Route[]} */
  const routes = paths.flatMap((path) => [
    /** @type {Route} */ (['GET', path]),
    ['POST', path],
    ['GET', `${path}/:id`],
    ['GET', `${path}/:id/parts/:part`],
  ])
  return routes.slice(0, count)
}

const bigTargets = Array.from({ length: 64 }, (_, i) => {
  const path = `/v${((i * 37) % 250) % 7}/thing${(i * 37) % 250}`
  return [path, `${path}/77`, `${path}/77/parts/x`][i % 3] ?? path
})

/** @type {readonly (readonly [string, readonly Route[], readonly string[]])[]} */
const TABLES = [
  [
    'static',
    [...api, ['GET', '/health'], ['GET', '/api/v1/status/long/path']],
    ['/health', '/users', '/api/v1/status/long/path'],
  ],
  ['one parameter', api, ['/users/123', '/orders/8861-abc', '/teams/42/comments']],
  ['two parameters', api, ['/users/123/comments/456', '/products/p-1/comments/99']],
  ['five parameters', [...api, ['GET', '/a/:b/c/:d/e/:f/g/:h/i/:j']], ['/a/1/c/2/e/3/g/4/i/5']],
  ['with a query', api, ['/users?page=2&size=20', '/users/123?full=1']],
  ['wildcard', [...api, ['GET', '/static/*']], ['/static/js/app.3f2a.js', '/static/css/main.css']],
  ['1,000 routes', manyRoutes(1000), bigTargets],
  ['no route', api, ['/nothing/here', '/users/1/2/3/4', '/use']],
  ['escapes', api, ['/users/a%20b', '/users/a%2Fb']],
]

/** @param {readonly Route[]} routes @returns {Find} */
function theirs(routes) {
  const options = { querystringParser: String, useSemicolonDelimiter: true }
  const router = findMyWay(options)
  for (const [index, [method, path]] of routes.entries()) router.on(method, path, {}, () => {}, { index })
  return (target) => router.find('GET', target, undefined)
}

/** @param {readonly Route[]} routes @returns {Find} */
function ours(routes) {
  const router = new Router(OPTIONS)
  for (const [index, [method, path]] of routes.entries()) router.add(method, path, {}, { index })
  return (target) => router.find('GET', target, undefined)
}

function cpuMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Nanoseconds of CPU per lookup. @param {Find} find @param {readonly string[]} targets */
function measure(find, targets) {
  const fresh = Array.from({ length: TARGETS }, (_, i) =>
    Buffer.from(targets[i % targets.length] ?? '/').toString('latin1'),
  )
  const start = cpuMs()
  let found = 0
  for (const target of fresh) if (find(target) !== null) found += 1
  const took = cpuMs() - start
  if (found !== 0 && found !== TARGETS) throw new Error('some targets have a route and some have none')
  return (took * 1e6) / TARGETS
}

/** Milliseconds of CPU to add routes. @param {(routes: readonly Route[]) => Find} make @param {readonly Route[]} routes */
function measureStart(make, routes) {
  const start = cpuMs()
  make(routes)
  return cpuMs() - start
}

/** @param {string} label @param {string} unit @param {() => number} first @param {() => number} second */
function compare(label, unit, first, second) {
  const best = [Infinity, Infinity]
  for (let round = 0; round < ROUNDS; round++) {
    best[0] = Math.min(best[0] ?? Infinity, first())
    best[1] = Math.min(best[1] ?? Infinity, second())
  }
  const [one = 0, other = 0] = best
  console.log(
    `| ${label} | ${one.toFixed(unit === 'ms' ? 2 : 0)} | ${other.toFixed(unit === 'ms' ? 2 : 0)} | ${(one / other).toFixed(2)} |`,
  )
}

console.log(
  `Node ${process.version}, load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}\n`,
)
console.log('| lookup (ns) or start (ms) | Cloister | find-my-way | ratio |\n|---|---|---|---|')
for (const [label, routes, targets] of TABLES) {
  const [own, other] = [ours(routes), theirs(routes)]
  compare(
    label,
    'ns',
    () => measure(own, targets),
    () => measure(other, targets),
  )
}
for (const count of [100, 2000]) {
  const routes = manyRoutes(count)
  compare(
    `start, ${count} routes`,
    'ms',
    () => measureStart(ours, routes),
    () => measureStart(theirs, routes),
  )
}
