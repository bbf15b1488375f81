import type { ModuleGraph } from './module-graph.ts'
import type { Part } from './parts.ts'

/**
 * The modules that work while an app starts, by package: rooms, and files of others. What checks options is none: their
 * values may come from the environment.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  cloister: [
    ...'app app.js boot context hooks router routes'.split(' '),
    ...'body/add-parser.js body/default-parsers.js body/parser-table.js request/stages.js'.split(' '),
  ],
  schema: ['normalize', 'sealed/engine.js', 'sealed/store.js'],
}

/** It says that a start is over. */
const AFTER_START = 'boot/seal.js'
/** In a room of the start: plugins call what it gives them when a request has come. */
const OF_REQUESTS = 'routes/upgrades/'

const PLACE = /[\\/](cloister|schema)[\\/]dist[\\/]worker-bundle[\\/](.+)$/

/** The functions and classes by which an app starts. What only they reach runs at no other time. */
export const STARTS: readonly string[] = (
  'cloister createApp createRoot CloisterApp Context createChild DecoratorTable defineIn defineRoute ' +
  'shortcutOptions boot compilePlans PlanCompiler LoadNode'
).split(' ')

/**
 * Methods that only a start calls, by the module of their class. Other objects have methods with the same names, which
 * requests call.
 */
export const START_METHODS: Readonly<Record<string, string>> = {
  'app/cloister-app.js': 'boot acceptUpgrades useSpecialPlans',
  'body/parser-table.js': 'add toLookup',
  'boot/plugins/plugin-queue.js': 'register after inTurn noteTurn noteReady',
  'context/context.js': 'addHook set',
  'context/decorators.js': 'add',
  'context/guard.js': 'add',
  'context/overrides.js': 'add apply assertUsed replaceGuard',
  'router/constraints.js': 'add check use',
  'router/endpoint.js': 'add',
  'router/router.js': 'add remove',
  'routes/methods.js': 'add check',
  'routes/plan/compile-plan.js': 'compile compileFramework showSchemas',
  'routes/plan/header-presets.js': 'add compile',
  'routes/plan/request-observers.js': 'add start wantHooks',
  'routes/route-table.js': 'add',
  'sealed/engine.js': 'allowsNull compileSerializer compileValidator createStore',
  'sealed/store.js': 'add',
}

const isOfStart = ({ file, name }: Part): boolean =>
  Object.entries(START_METHODS).some(
    ([module, names]) => file.replaceAll('\\', '/').endsWith(`/${module}`) && names.split(' ').includes(name),
  )

/** Whether a module works while an app starts. */
function isOfRooms({ file }: Part): boolean {
  const [, name = '', place = ''] = PLACE.exec(file) ?? []
  const module = place.replaceAll('\\', '/')
  return (
    module !== AFTER_START &&
    !module.startsWith(OF_REQUESTS) &&
    (ROOMS[name] ?? []).some((room) => module === room || module.startsWith(`${room}/`))
  )
}

/**
 * Finds the parts that run only while an app starts: those of its rooms that nothing reaches which requests may run.
 * Requests may run what is in another room, functions that a start makes or hands over, and methods that the app names.
 */
export function findStartCode(graph: ModuleGraph, words: ReadonlySet<string>): Part[] {
  const reached = new Set<Part>()
  const queue: Part[] = []
  const reach = (part: Part | null): void => {
    if (part === null || reached.has(part) || isLimit(part)) return
    reached.add(part)
    queue.push(part)
  }
  const name = (word: string, isMeant: (member: Part) => boolean = () => true): void => {
    for (const member of graph.members(word)) if (!isOfStart(member) && isMeant(member)) reach(member)
  }
  for (const part of graph.parts()) {
    if (!isOfRooms(part) || (part.kind === 'closure' && part.name === '')) {
      reach(part)
      continue
    }
    // What a start hands over as a value may be called later.
    for (const value of part.values) reachFunction(graph.find(part, value), reach)
    for (const value of part.memberValues)
      name(value, (member) => isOfRooms(member) && member.form === 'function')
  }
  for (const word of words)
    name(word, ({ file, form }) => /[\\/]app[\\/]methods[\\/]/.test(file) && form !== 'registration')
  for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
    for (const word of [...part.calls, ...part.values]) reach(graph.find(part, word))
    for (const word of [...part.memberCalls, ...part.memberValues]) name(word)
  }
  return [...graph.parts()].filter((part) => isOfRooms(part) && !reached.has(part) && part.kind !== 'module')
}

/** The value of a variable is made once, when its module is loaded. */
function isLimit(part: Part): boolean {
  if (!isOfRooms(part) || part.kind !== 'declaration') return false
  return STARTS.includes(part.name) || part.form === 'data' || part.form === 'effect'
}

function reachFunction(part: Part | null, reach: (part: Part) => void): void {
  if (part?.form === 'function') reach(part)
}
