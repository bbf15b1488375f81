import { isOfPackage, type CallSite } from '../call-site.ts'
import type { Context } from '../context/context.ts'
import { createError } from '../errors.ts'
import { warn } from '../logging/warnings.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { nearestName } from '../suggest.ts'
import { REQUEST_HOOK_NAMES } from '../hooks/names.ts'
import type { RouteProblem } from '../request/report/judge.ts'
import { KNOWN, PLACEMENT } from './known-options.ts'
import type { MethodTable } from './methods.ts'
import { MESSAGES, SCHEMA_PARTS, type RouteOptions } from './route-record.ts'
import { undefinedNames, type Dictionary } from '../guards.ts'

/*
 * What the author of a route may have got wrong. A sealed worker does without: its routes were checked when it was built.
 */

/** The options of a route, with where they were given. */
export interface DefinedOptions {
  readonly given: RouteOptions
  /** the label of the route, for messages */
  readonly route: string
  readonly context: Context
  /** the options that `strict` would set, with `strict: 'report'` */
  readonly judged: AppOptions | null
  readonly callSite: CallSite
}

/** Route options that protect an app, and the packages whose plugins read them. */
const OWNERS = [
  ['idempotency', '@cloister/state'],
  ['web', '@cloister/web'],
] as const

const OF_PLUGIN =
  '; if a plugin reads it, register the plugin before, or name it in the option unknownRouteOptions of the app'

/**
 * Rejects a name that is similar to an option, because the framework would ignore it. Other names belong to plugins.
 *
 * @returns what `strict` would refuse
 */
export function checkNames(defined: DefinedOptions): readonly RouteProblem[] {
  const { given, route, context, judged, callSite } = defined
  const unread = Object.keys(given).filter((name) => !KNOWN.includes(name))
  if (unread.length === 0) return []
  const { unknownRouteOptions: unknown } = context.app.options
  const isJudged = unknown === 'allow' && judged?.unknownRouteOptions === 'refuse'
  const ofPlugins: readonly string[] = typeof unknown === 'string' ? [] : unknown
  const brought = context.lineage().flatMap(({ routeOptions }) => [...routeOptions])
  const allowed = [...PLACEMENT, ...ofPlugins, ...brought]
  const refused = (name: string, nearest: string): Error =>
    createError('ROUTE_OPTION_UNKNOWN', { route, name, nearest })
  const others = unread.filter((name) => !allowed.includes(name))
  // Parts of a schema have no effect as options of a route.
  const outside = others.filter((name) => SCHEMA_PARTS.includes(name))
  if (unknown === 'allow' && outside.length > 0) {
    const [first = ''] = outside
    warn('PART_OUTSIDE', { route, names: outside.join("', '"), first, callSite })
  }
  if (unknown === 'allow')
    for (const [name, owner] of OWNERS)
      if (others.includes(name)) warn('PLUGIN_MISSING', { route, name, package: owner, callSite })
  for (const name of others) {
    const hint = nearestName(name, KNOWN, 1) || (unknown === 'allow' ? '' : OF_PLUGIN)
    if (hint !== '') throw refused(name, hint)
  }
  if (!isJudged) return []
  return others.map((name) => ({ reason: 'unknownRouteOptions', error: refused(name, OF_PLUGIN) }))
}

/**
 * Reports functions that are `undefined`. Hooks run nothing then, as in Fastify, so a route that they were to protect is
 * open; of the others, those of the context or of the framework take their place. Packages pass on what their user may
 * leave out, so their routes are not reported.
 *
 * @returns what `strict` would refuse
 */
export function checkUndefined(defined: DefinedOptions): readonly RouteProblem[] {
  const { given, route, context, judged, callSite } = defined
  const hooks = undefinedNames(given, REQUEST_HOOK_NAMES)
  const missing = [...hooks, ...undefinedNames(given, FUNCTIONS)]
  if (missing.length === 0) return []
  const place = callSite.toString()
  if (isOfPackage(callSite)) return []
  const effect = hooks.length === 0 ? 'it has no effect' : 'no hook runs there'
  const help = `check the import, or await the plugin that adds the decorator. ${hooks.length === 0 ? ELSE : NO_HOOK}`
  const problem = `its '${missing.join("' and '")}' is undefined, so that ${effect}; ${help}`
  const error = createError('ROUTE_OPTION_INVALID', { route, problem: `${problem} (defined at ${place})` })
  if (context.app.options.undefinedHooks === 'refuse') throw error
  warn('HOOK_MISSING', { route, problem, callSite: place })
  return judged?.undefinedHooks === 'refuse' ? [{ reason: 'undefinedHooks', error }] : []
}

/** Options of a route with a function that takes the place of another. */
const FUNCTIONS = [
  'handler',
  'errorHandler',
  'validatorCompiler',
  'serializerCompiler',
  'schemaErrorFormatter',
]

const NO_HOOK = "For no hook, leave the option out, or write '[]'"
const ELSE = 'Otherwise, leave it out'

/**
 * Refuses a name that is similar to an option, because the framework would ignore it; a parser would have no limit, for
 * example.
 *
 * @param what - has the options, for the message
 * @throws `CLO_ERR_OPTION_UNKNOWN`
 */
export function checkOptionNames(
  what: string,
  options: Dictionary,
  known: readonly string[],
  callSite: CallSite,
): void {
  for (const name of Object.keys(options)) {
    const nearest = known.includes(name) ? '' : nearestName(name, known, 1)
    if (nearest !== '') throw createError('OPTION_UNKNOWN', { what, name, nearest, callSite })
  }
}

/** Checks the names of the parts of a schema. */
export function checkParts(schema: Dictionary, { given, route, context, callSite }: DefinedOptions): void {
  const cookies = context.app.options.cookieSchemas === 'validate' ? ['cookies'] : []
  const messages = given['upgrade'] == null ? [] : MESSAGES
  const known = [...SCHEMA_PARTS, ...cookies, ...messages]
  for (const name of Object.keys(schema)) {
    const isPart = known.includes(name)
    // A misspelt part would leave its requests unvalidated.
    const nearest = isPart ? '' : nearestName(name, known, 1)
    if (nearest !== '') throw createError('ROUTE_OPTION_UNKNOWN', { route, name: `schema.${name}`, nearest })
    // `{ body: undefined }` happens with a misspelt import.
    if (isPart && name !== 'response' && schema[name] === undefined)
      warn('SCHEMA_MISSING', { route, part: name, callSite })
  }
}

/** A schema for a body that is never read would validate nothing. */
export function checkBodySchema(route: string, methodNames: readonly string[], methods: MethodTable): void {
  const isBodiless = (name: string): boolean =>
    (name === 'GET' || name === 'HEAD') && methods.bodyRule(name) === 'never'
  if (methodNames.some(isBodiless)) throw createError('ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED', { route })
}
