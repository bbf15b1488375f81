import { inspectRoutes } from 'cloister/inspect'
import type { InspectedRoute } from 'cloister/inspect'
import type { GuardDescription } from 'cloister/types'

import { isObject } from '../diff/json.ts'
import type { LoadedApp } from '../load-app.ts'

/** What the requests of a route pass: its guards, hooks and schemas, and what plugins say in these, such as topics. */
export interface RouteFacts {
  readonly callSite: string | null
  /** the text of each fact, with a value to compare */
  readonly facts: ReadonlyMap<string, string>
}

/** A route that has gained or lost something, or is new or gone. */
export interface RouteChange {
  readonly route: string
  readonly kind: 'new' | 'gone' | 'changed'
  readonly callSite: string | null
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  /** schemas in both versions with different content */
  readonly changed: readonly string[]
}

/** Reads the facts of each route of an app, by method, path and constraints. */
export function factsOf(app: LoadedApp): ReadonlyMap<string, RouteFacts> {
  const routes = inspectRoutes(app).filter(({ description }) => !description.automatic)
  return new Map(
    routes.map((route) => {
      const { method, url, constraints, callSite } = route.description
      const wanted = Object.entries(constraints).map(([name, value]) => ` ${name}=${value}`)
      const facts = new Map([...hookFacts(route), ...schemaFacts(route), ...extensionFacts(route)])
      return [`${method} ${url}${wanted.join('')}`, { callSite, facts }]
    }),
  )
}

function hookFacts({ description }: InspectedRoute): [string, string][] {
  return description.hooks.map(({ name, fn, guard }) => [
    guard === null ? `hook ${name} ${fn}` : `guard ${guardText(guard)}: ${name} ${fn}`,
    '',
  ])
}

/** Returns the name of a guard and who passes it, as text: a scope that is lost is another guard. */
function guardText({ name, security }: GuardDescription): string {
  if (name === null) return Object.keys(security).join(', ')
  return `${name}${passText(security)}`
}

function passText(security: GuardDescription['security']): string {
  const schemes = Object.entries(security).map(([scheme, scopes]) => [scheme, ...scopes].join(' '))
  return schemes.length === 0 ? '' : ` (${schemes.join(', ')})`
}

function schemaFacts({ written }: InspectedRoute): [string, string][] {
  return Object.entries(written).flatMap(([part, schema]): [string, string][] => {
    if (!PARTS.has(part) || schema === undefined) return []
    if (part !== 'response') return [[`schema of the ${part}`, textOf(schema)]]
    return Object.entries(isObject(schema) ? schema : {}).map(([status, one]) => [
      `schema of the response ${status}`,
      textOf(one),
    ])
  })
}

/** The members `x-…` of the schema: one fact for each topic, which is named, and one for another value. */
function extensionFacts({ written }: InspectedRoute): [string, string][] {
  return Object.entries(written).flatMap(([name, value]): [string, string][] => {
    const text = textOf(value)
    if (!name.startsWith('x-') || text === '') return []
    const parsed: unknown = JSON.parse(text)
    return [parsed].flat().map((one) => {
      const topic = isObject(one) ? one['topic'] : undefined
      return [typeof topic === 'string' ? `${name} ${topic}` : name, textOf(one)]
    })
  })
}

const PARTS: ReadonlySet<string> = new Set(['body', 'querystring', 'query', 'params', 'headers', 'response'])

function textOf(schema: unknown): string {
  return JSON.stringify(schema) ?? ''
}

export function compareFacts(
  before: ReadonlyMap<string, RouteFacts>,
  after: ReadonlyMap<string, RouteFacts>,
): RouteChange[] {
  const changes: RouteChange[] = []
  for (const [route, { facts, callSite }] of after) {
    const old = before.get(route)?.facts
    const gained = [...facts.keys()].filter((fact) => old?.has(fact) !== true)
    const lost = [...(old?.keys() ?? [])].filter((fact) => !facts.has(fact))
    const changed = [...facts].filter(([fact, text]) => old?.has(fact) === true && old.get(fact) !== text)
    const kind = old === undefined ? 'new' : 'changed'
    if (kind === 'new' || gained.length + lost.length + changed.length > 0) {
      changes.push({ route, kind, callSite, gained, lost, changed: changed.map(([fact]) => fact) })
    }
  }
  for (const [route, { callSite, facts }] of before) {
    if (!after.has(route))
      changes.push({ route, kind: 'gone', callSite, gained: [], lost: [...facts.keys()], changed: [] })
  }
  return changes
}
