// Draws an app as data: contexts within contexts, with hooks, error handlers, not-found handlers, parsers and routes.
import { PATH_HOOKS } from '../harness/path-hooks.ts'
import type { Random } from '../../packages/schema/test/validator/random.ts'

const FORMS = ['done', 'later', 'async'] as const
const PAYLOADS = ['text', 'empty text', 'value', 'null', 'bytes', 'no bytes', 'stream', 'error'] as const
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** What a function of the app does after it has noted that it runs. */
export type Act = 'nothing' | 'sets a header' | 'throws' | 'sends' | 'calls not found' | 'changes the payload'

/** A function of the app. */
export interface Unit {
  readonly form: (typeof FORMS)[number]
  readonly act: Act
  readonly payload: (typeof PAYLOADS)[number]
  readonly status: number
}

/** A hook. */
export interface HookUnit extends Unit {
  readonly at: (typeof PATH_HOOKS)[number]
}

/** A route. */
export interface DrawnRoute {
  readonly url: string
  readonly method: (typeof METHODS)[number]
  readonly handler: Unit
  readonly hooks: readonly HookUnit[]
  readonly errorHandler: Unit | null
}

/** A context: the app, or what a plugin fills. */
export interface DrawnContext {
  readonly prefix: string
  readonly isQuiet: boolean
  readonly errorHandler: Unit | null
  readonly notFound: Unit | null
  readonly notFoundHook: HookUnit | null
  readonly parser: Unit | null
  readonly hooks: readonly HookUnit[]
  readonly routes: readonly DrawnRoute[]
  readonly children: readonly DrawnContext[]
}

/** A request of the client. */
export interface DrawnRequest {
  readonly method: string
  readonly url: string
  readonly body?: string
}

/** Draws an app. */
export function drawApp(random: Random): DrawnContext {
  return drawContext(random, '', 0)
}

/** Draws requests for each route, and for paths that have none. */
export function drawRequests(random: Random, app: DrawnContext): DrawnRequest[] {
  const targets = targetsOf(app, '')
  return Array.from({ length: 8 }, () => {
    const { method, url } = random.pick(targets)
    const sent = random.chance(0.2) ? random.pick([...METHODS, 'HEAD']) : method
    return {
      method: sent,
      url,
      ...(sent === 'POST' || sent === 'PUT' ? { body: random.pick(['a', 'b c']) } : {}),
    }
  })
}

function targetsOf({ routes, children, prefix }: DrawnContext, above: string): DrawnRequest[] {
  const path = `${above}${prefix}`.replace(':name', 'n')
  return [
    { method: 'GET', url: `${path}/nowhere` },
    ...routes.map(({ method, url }) => ({ method, url: `${path}${url}` })),
    ...children.flatMap((child) => targetsOf(child, path)),
  ]
}

function drawContext(random: Random, prefix: string, depth: number): DrawnContext {
  const maybe = <T>(probability: number, draw: () => T): T | null =>
    random.chance(probability) ? draw() : null
  const isNew = depth === 0 || prefix !== ''
  return {
    prefix,
    isQuiet: depth > 0 && random.chance(0.1),
    errorHandler: maybe(0.4, () => drawUnit(random, ['sends', 'sends', 'throws', 'calls not found'])),
    notFound: isNew
      ? maybe(0.5, () => drawUnit(random, ['sends', 'sends', 'throws', 'calls not found']))
      : null,
    notFoundHook: maybe(0.3, () => ({
      ...drawHook(random),
      at: random.pick(['preValidation', 'preHandler']),
    })),
    parser: maybe(depth === 0 ? 1 : 0.3, () => drawUnit(random, ['nothing', 'nothing', 'nothing', 'throws'])),
    hooks: Array.from({ length: random.below(4) }, () => drawHook(random)),
    routes: Array.from({ length: 1 + random.below(2) }, (_, index) => drawRoute(random, `/r${index}`)),
    children: Array.from({ length: depth > 2 ? 0 : random.below(3 - depth) }, (_, index) =>
      drawContext(random, drawPrefix(random, depth === 0 && index === 0), depth + 1),
    ),
  }
}

/** Fastify starts no app in which two contexts with one prefix have not-found handlers. */
function drawPrefix(random: Random, mayBeParameter: boolean): string {
  return random.pick(['', `/p${random.below(1_000_000)}`, mayBeParameter ? '/:name' : ''])
}

function drawRoute(random: Random, url: string): DrawnRoute {
  return {
    // Contexts without a prefix have routes beside those of their parents.
    url: `${url}-${random.below(1_000_000)}`,
    method: random.pick(METHODS),
    handler: drawUnit(random, ['sends', 'sends', 'sends', 'throws', 'calls not found']),
    hooks: Array.from({ length: random.below(3) }, () => drawHook(random)),
    errorHandler: random.chance(0.3) ? drawUnit(random, ['sends', 'throws', 'calls not found']) : null,
  }
}

function drawHook(random: Random): HookUnit {
  const at = random.pick(PATH_HOOKS)
  const early: Act[] = [
    'nothing',
    'nothing',
    'nothing',
    'sets a header',
    'throws',
    'sends',
    'calls not found',
  ]
  const acts: Readonly<Record<HookUnit['at'], readonly Act[]>> = {
    onRequest: early,
    preParsing: ['nothing', 'throws'],
    preValidation: early,
    preHandler: early,
    preSerialization: ['nothing', 'changes the payload', 'throws'],
    // An error in onSend for an error response is the last one, and has words of its own.
    onSend: ['nothing', 'sets a header', 'changes the payload'],
  }
  return { ...drawUnit(random, acts[at]), at }
}

function drawUnit(random: Random, acts: readonly Act[]): Unit {
  return {
    form: random.pick(FORMS),
    act: random.pick(acts),
    payload: random.pick(PAYLOADS),
    status: random.pick([200, 201, 404, 418, 503]),
  }
}
