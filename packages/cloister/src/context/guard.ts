import type { CallSite } from '../call-site.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName } from '../guards.ts'
import type { Guard } from '../hooks/hook-entry.ts'
import { declaredBy, isRefusal, isRefusals, isSchemes, withoutScopes } from '../hooks/guard-facts.ts'
import type { GuardFacts, GuardRefusals, GuardSecurity, GuardStage } from '../types/guards.ts'
import type { Context } from './context.ts'

const STAGES: readonly GuardStage[] = ['onRequest', 'preValidation', 'preHandler']

/**
 * Reads the arguments of `addGuard`.
 *
 * @throws `CLO_ERR_GUARD_INVALID`
 */
export function readGuard(
  name: unknown,
  run: unknown,
  options: unknown,
  context: Context,
  callSite: CallSite,
): Guard {
  const refuse = (problem: string): Error =>
    createError('GUARD_INVALID', { name: String(name), callSite, problem })
  if (typeof name !== 'string' || name === '') throw refuse(`its name must be a text, got ${typeName(name)}`)
  if (!isFunction(run)) throw refuse(`it must be a function (request, reply) => value, got ${typeName(run)}`)
  if (isGenerator(run))
    throw refuse('it is a generator; return the value, and give it back in the option release')
  if (run.length > 2)
    throw refuse("it takes (request, reply) and no 'done'; return a value or a promise of it")
  if (options !== undefined && !isRecord(options)) throw refuse(`its options are ${typeName(options)}`)
  const facts = Object.entries(options ?? {})
  const bad = facts.find(([field, value]) => value !== undefined && FIELDS[field]?.[0](value) !== true)
  if (bad !== undefined) {
    const [field] = bad
    const wanted = FIELDS[field]?.[1] ?? `unknown; known are ${Object.keys(FIELDS).join(', ')}`
    throw refuse(`its option '${field}' is ${FIELDS[field] === undefined ? wanted : `not ${wanted}`}`)
  }
  const given: GuardFacts & Partial<Pick<Guard, 'release'>> = options ?? {}
  const declared = declaredBy(run)
  const securitySchemes = given.securitySchemes ?? declared.securitySchemes ?? {}
  const security = given.security ?? withoutScopes(securitySchemes)
  return Object.freeze({
    name,
    run,
    at: given.at ?? 'onRequest',
    security,
    securitySchemes,
    refuses: refusalsOf(given.refuses ?? declared.refuses, security),
    needs: given.needs ?? [],
    release: given.release ?? null,
    slot: Symbol(name),
    owner: context,
    callSite,
  })
}

function refusalsOf(given: GuardFacts['refuses'], security: GuardSecurity): GuardRefusals {
  const refuses = given ?? (Object.keys(security).length > 0 ? [401, 403] : [])
  return isList(refuses) ? Object.fromEntries(refuses.map((status) => [status, null])) : refuses
}

function isList(refuses: readonly number[] | GuardRefusals): refuses is readonly number[] {
  return Array.isArray(refuses)
}

/** Whether a function returns a generator, whose code would never run. */
function isGenerator(run: object): boolean {
  return /^\[object (?:Async)?GeneratorFunction\]$/.test(Object.prototype.toString.call(run))
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isTexts: Check = (value) => Array.isArray(value) && value.every((one) => isText(one))

const FIELDS: Readonly<Record<string, readonly [check: Check, wanted: string]>> = {
  at: [(value) => STAGES.some((stage) => stage === value), `one of ${STAGES.join(', ')}`],
  security: [
    (value) => isRecord(value) && Object.values(value).every((scopes) => isTexts(scopes)),
    'an object with a list of scopes for each security scheme',
  ],
  securitySchemes: [
    isSchemes,
    "an object with a security scheme, such as { type: 'http', scheme: 'bearer' }, for each name",
  ],
  refuses: [
    (value) => (Array.isArray(value) ? value.every((one) => isRefusal(one)) : isRefusals(value)),
    "a list of statuses 4xx, or an object with 'error', a schema or null for each",
  ],
  needs: [isTexts, 'a list of names'],
  release: [isFunction, 'a function'],
}

/** The guards of an app. */
export class Guards {
  readonly #all: { readonly guard: Guard; readonly context: Context }[] = []

  get all(): readonly Guard[] {
    return this.#all.map(({ guard }) => guard)
  }

  /**
   * Adds a guard to a context.
   *
   * @throws `CLO_ERR_GUARD_TWICE`
   */
  add(guard: Guard, context: Context): void {
    const { name, slot, callSite } = guard
    const { request } = context.decorators
    const other = this.find(name, context)?.callSite ?? request.find(name)?.callSite
    if (other !== undefined) throw twice(name, other, callSite)
    this.#all.push({ guard, context })
    const getter = function (this: Readonly<Record<symbol, unknown>>): unknown {
      return this[slot] ?? refuseEarly(guard)
    }
    request.add({ name, value: { getter }, callSite })
  }

  /** Returns the guards whose values requests of a context have. */
  of(context: Context): readonly Guard[] {
    return this.#all.filter((one) => context.isWithin(one.context)).map(({ guard }) => guard)
  }

  /** Returns the guard with a name in the line of a context: in itself, an ancestor or a descendant. */
  find(name: PropertyKey, context: Context): Guard | undefined {
    const isInLine = (one: Context): boolean => context.isWithin(one) || one.isWithin(context)
    return this.#all.find((one) => one.guard.name === name && isInLine(one.context))?.guard
  }
}

function refuseEarly({ name, at, callSite }: Guard): never {
  throw createError('GUARD_NOT_RUN', { name, at, callSite })
}

/** The error of a name that requests in one line of contexts would have twice. */
export function twice(name: PropertyKey, first: CallSite, second: CallSite): Error {
  return createError('GUARD_TWICE', { name: String(name), first, second })
}

/**
 * Checks that what a guard needs is there before it: a decoration of requests, or a guard that runs earlier.
 *
 * @throws `CLO_ERR_GUARD_NEEDS`
 */
export function checkNeeds(guard: Guard, context: Context): void {
  const { name, at, needs, callSite } = guard
  for (const needed of needs) {
    const problem = problemOf(needed, guard, context)
    if (problem !== null) throw createError('GUARD_NEEDS', { name, needed, at, callSite, problem })
  }
}

/** Returns why nothing before a guard gives what it needs; `null` if something does. */
function problemOf(needed: string, { name, at }: Guard, context: Context): string | null {
  const giver = context.hooks.find(({ guard }) => guard?.name === needed)?.guard ?? null
  if (giver !== null) {
    const isLater = STAGES.indexOf(giver.at) > STAGES.indexOf(at)
    return isLater ? `that guard runs later (${giver.at}, added at ${giver.callSite.toString()})` : null
  }
  // The decoration of a guard exists before its turn among the plugins has come.
  const later = context.app.guards.of(context).find((one) => one.name === needed)
  if (later === undefined && context.decorators.request.has(needed)) return null
  if (needed === name) return 'it gives that itself'
  if (later !== undefined) return `that guard is added after it, at ${later.callSite.toString()}`
  return 'nothing before it gives that to requests; add its guard, or register its plugin, first'
}
