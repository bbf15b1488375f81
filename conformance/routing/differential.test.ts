// Random tables of routes and random targets: our router against `find-my-way`, whose rules apps know.
import findMyWay from 'find-my-way'
import { describe, expect, it } from 'vitest'
import { Match } from '../../packages/cloister/src/router/find.ts'
import { Router } from '../../packages/cloister/src/router/router.ts'
import { Random } from '../../packages/schema/test/validator/random.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const TABLES = Number(process.env['CLOISTER_TABLES'] ?? 400)
const TARGETS_PER_TABLE = 60

const SEGMENTS =
  'a ab abc users user Books x%20y \u00e9 a.b a-b a::b long-name-of-a-segment :id :name :file.:ext :a-:b :id.json ' +
  String.raw`:num(^\d+$) :h(^\d+)h:m(\d+)m :x(^[a-z]+$) :id-suffix`
const WORDS = [
  '',
  'z'.repeat(12),
  'k'.repeat(40),
  ...'a ab abc users user books Books x%20y x%2Fy %25 %252F %E9 %C3%A9 a.b f.txt a-b a-b-c 12 7h30m'.split(
    ' ',
  ),
  ...'ab%63 %61b us%65rs a%2eb %61 %3fa%23 %F0%9F%98%80 %C3'.split(' '),
  ...'x.json a:b 12-suffix long-name-of-a-segment pre1 % %zz %2f%3f a%2'.split(' '),
]
const CONSTRAINTS: readonly Record<string, unknown>[] = [
  { version: '1.2.0' },
  { version: '2.0.0' },
  { host: 'a.org' },
  { host: /^b/ },
  { host: 'a.org', version: '1.0.3' },
]
const DERIVED: readonly (Record<string, unknown> | null)[] = [
  null,
  null,
  { host: 'a.org', version: undefined },
  { host: 'b.org', version: '1.x' },
  { host: 'c', version: '2.0.0' },
  { host: 'a.org', version: '1.0.3' },
]

function randomPath(random: Random): string {
  const segments = Array.from(
    { length: 1 + random.below(4) },
    () => `/${random.pick(SEGMENTS.split(' '))}`,
  ).join('')
  return segments + random.pick(['', '', '', '', '', '', '/', '/*', '/:opt?', '/pre*'])
}

/** A target that a route may match: its path with words for its parameters. */
function targetFor(random: Random, path: string): string {
  const filled = path
    .replaceAll('::', '\0')
    .replaceAll(/:[^/(.-]*(?:\([^)]*\))?/g, () => random.pick(WORDS))
    .replaceAll('\0', ':')
    .replace('?', '')
  const target =
    filled.replace('*', () => random.pick(WORDS)) + random.pick(['', '', '', '/', '?q=1', ';s=1'])
  // The first character of a target is a slash for find-my-way, whatever it is; ours looks at it.
  return target.startsWith('/') ? target : `/${target}`
}

function randomTarget(random: Random, paths: readonly string[]): string {
  if (random.chance(0.6) && paths.length > 0) return targetFor(random, random.pick(paths))
  if (random.chance(0.02))
    return random.pick(['http://x.org/a/b?c', 'HTTPS://x.org?a', 'http:///a', '//', '/'])
  const words = Array.from({ length: 1 + random.below(4) }, () => `/${random.pick(WORDS)}`).join('')
  return words + random.pick(['', '', '', '', '/', '?q=1', '#h', ';s=1', '?a=%20/b', '/?', '?a#b'])
}

/** What a router says of a target: the number of the route with parameters and query, a problem, or nothing. */
type Sendable = readonly unknown[] | string | null

interface Pair {
  readonly theirs: ReturnType<typeof findMyWay>
  readonly ours: Router<number>
  readonly added: string[]
  readonly paths: string[]
  readonly routes: { method: 'GET' | 'POST'; path: string; constraints: Record<string, unknown> }[]
}

function makePair(random: Random): Pair {
  const options = {
    caseSensitive: random.chance(0.75),
    ignoreTrailingSlash: random.chance(0.3),
    ignoreDuplicateSlashes: random.chance(0.3),
    useSemicolonDelimiter: random.chance(0.5),
    maxParamLength: random.pick([10, 30, 100]),
    allowUnsafeRegex: false,
  }
  const theirs = findMyWay({
    ...options,
    querystringParser: String,
    onBadUrl: () => {},
    onMaxParamLength: () => {},
  })
  return {
    theirs,
    ours: new Router(options),
    added: [JSON.stringify(options)],
    paths: [],
    routes: [],
  }
}

function attempt(add: () => void): string | null {
  try {
    add()
    return null
  } catch (error) {
    return error instanceof Error
      ? (/already declared/.exec(error.message)?.[0] ?? error.message)
      : String(error)
  }
}

/** Adds one route to both; returns whether they agree that it can be added. */
function addRoute(random: Random, { theirs, ours, added, paths, routes }: Pair, index: number): boolean {
  const method = random.pick(['GET', 'GET', 'GET', 'POST'] as const)
  const path = random.chance(0.05) ? '*' : randomPath(random)
  const constraints = random.chance(0.2) ? random.pick(CONSTRAINTS) : {}
  paths.push(path)
  added.push(`${method} ${path} ${Object.keys(constraints).join()} ${String(constraints['host'])}`)
  const isFirst = attempt(() => theirs.on(method, path, { constraints }, () => {}, { index }))
  const isSecond = attempt(() => ours.add(method, path, constraints, index))
  if (isSecond === null) routes.push({ method, path, constraints })
  return (isFirst === null) === (isSecond === null)
}

/** Removes one route from both, now and then. */
function removeRoute(random: Random, { theirs, ours, added, routes }: Pair): void {
  if (routes.length === 0 || !random.chance(0.25)) return
  const { method, path, constraints } = random.pick(routes)
  if (path.includes('?')) return
  added.push(`removed ${method} ${path}`)
  theirs.off(method, path, constraints)
  ours.remove(method, path, constraints)
}

/** Returns how the two print the routes, where they differ. */
function comparePrints({ theirs, ours, added, routes }: Pair): string[] {
  const differences: string[] = []
  for (const options of [{}, { commonPrefix: false }, { method: 'GET' as const }]) {
    const wanted = theirs.prettyPrint({ ...options })
    const shown = { method: undefined, commonPrefix: true, includeMeta: false, ...options }
    const got = ours.print(shown, () => ({}))
    // Of a route that it refuses, find-my-way keeps nodes in its tree.
    if (!added.at(-1)?.startsWith('removed') && added.length - 1 > routes.length) continue
    // find-my-way prints one line for all wildcards below one place, and not where they are.
    const isCut = 'commonPrefix' in options && routes.some(({ path }) => path.endsWith('*'))
    if (wanted !== got && !isCut) differences.push(`${got}\nnot\n${wanted}\n${added.join(' | ')}`)
  }
  return differences
}

function askTheirs({ theirs }: Pair, method: 'GET' | 'POST', target: string, derived: unknown): Sendable {
  const found: unknown = Reflect.apply(theirs.find, theirs, [method, target, derived])
  if (found === null) return null
  const { store, params, searchParams } = Object(found)
  return store === null ? 'problem' : [Object(store).index, { ...params }, searchParams]
}

function askOurs(
  { ours }: Pair,
  method: string,
  target: string,
  derived: Record<string, unknown> | undefined,
): Sendable {
  const found = ours.find(method, target, derived)
  if (found === null) return null
  return found instanceof Match ? [found.stored, { ...found.params }, found.query] : 'problem'
}

/** Compares the routers over random tables; returns what they disagree on. */
function compare(seed: number, tables: number): { lookups: number; matches: number; differences: string[] } {
  const random = new Random(seed)
  const differences: string[] = []
  let lookups = 0
  let matches = 0
  for (let table = 0; table < tables; table++) {
    const pair = makePair(random)
    for (let index = 0, count = 1 + random.below(12); index < count; index++) {
      if (addRoute(random, pair, index)) continue
      differences.push(`added: ${pair.added.join(' | ')}`)
      break
    }
    removeRoute(random, pair)
    differences.push(...comparePrints(pair))
    for (let i = 0; i < TARGETS_PER_TABLE; i++) {
      const method = random.pick(['GET', 'GET', 'POST'] as const)
      const target = randomTarget(random, pair.paths)
      const derived = random.pick(DERIVED) ?? undefined
      const wanted = JSON.stringify(askTheirs(pair, method, target, derived))
      const got = JSON.stringify(askOurs(pair, method, target, derived))
      lookups += 1
      if (got.startsWith('[')) matches += 1
      if (wanted === got) continue
      differences.push(
        `${method} ${target} ${JSON.stringify(derived)}: ${got}, not ${wanted}: ${pair.added.join(' | ')}`,
      )
    }
  }
  return { lookups, matches, differences }
}

describe('the router, beside find-my-way', () => {
  it(`finds the same routes for random targets (CLOISTER_SEED=${SEED})`, () => {
    const { lookups, matches, differences } = compare(SEED, TABLES)
    expect(differences.slice(0, 5)).toEqual([])
    expect(lookups).toBe(TABLES * TARGETS_PER_TABLE)
    // Random targets that reach no route would prove little.
    expect(matches / lookups).toBeGreaterThan(0.08)
  })
})
