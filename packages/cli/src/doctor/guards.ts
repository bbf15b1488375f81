import type { RouteDescription } from 'cloister'
import type { ContextDescription, HookDescription } from 'cloister/types'
import type { InspectedRoute } from 'cloister/inspect'

import type { LoadedApp } from '../load-app.ts'
import type { Finding } from './finding.ts'
import { isFunctionNode, isNode, nameOf, nodesOf } from './syntax.ts'
import type { SyntaxNode } from './syntax.ts'

type Parse = (text: string) => SyntaxNode | null

/**
 * Finds handlers and hooks that read the value of a guard on requests of a route that is behind no guard or decoration of
 * that name: each such read fails at run time. It sees reads in the functions themselves, not in those that they call.
 */
export async function checkGuards(app: LoadedApp): Promise<Finding[]> {
  const guards = guardsIn(app.explain().contexts)
  if (guards.size === 0) return []
  const { inspectRoutes } = await import('cloister/inspect')
  const { parseSync } = await import('oxc-parser')
  const parse: Parse = (text) => {
    const { program, errors } = parseSync('function.js', text)
    return errors.length === 0 ? ([...nodesOf(program)].find(isFunctionNode) ?? null) : null
  }
  return inspectRoutes(app).flatMap((route) => {
    const { description, isSecondPath } = route
    const missing = [...guards.keys()].filter((name) => !givesName(app, description, name))
    if (description.automatic || isSecondPath || missing.length === 0) return []
    const reads = functionsOf(route).flatMap((fn) => namesRead(fn, parse))
    const sets = new Set(reads.flatMap(({ name, isSet }) => (isSet ? [name] : [])))
    const read = new Set(reads.flatMap(({ name, isSet }) => (isSet ? [] : [name])))
    return missing.flatMap((name) =>
      read.has(name) && !sets.has(name) ? [toFinding(description, name, guards.get(name) ?? null)] : [],
    )
  })
}

/** Returns the guards that give a value, with the call sites of the first of each name. */
function guardsIn({ hooks, children }: ContextDescription): Map<string, string | null> {
  const own = hooks.flatMap(({ guard, callSite }: HookDescription): [string, string | null][] =>
    guard === null || guard.name === null ? [] : [[guard.name, callSite]],
  )
  return new Map([...children.flatMap((child) => [...guardsIn(child)]), ...own])
}

function givesName(app: LoadedApp, { method, url, constraints }: RouteDescription, name: string): boolean {
  const found = app.explain(method, url, constraints)
  return found.kind === 'route' && found.decorators.some((one) => one.kind === 'request' && one.name === name)
}

function functionsOf({ options, hooks }: InspectedRoute): readonly unknown[] {
  return [options['handler'], ...hooks]
}

interface Access {
  readonly name: string
  readonly isSet: boolean
}

/** Returns the members of its first parameter that a function reads or sets. */
function namesRead(fn: unknown, parse: Parse): Access[] {
  if (typeof fn !== 'function') return []
  const text = String(fn)
  // A method has no keyword before its name.
  const node = parse(`(${text})`) ?? parse(`({${text}})`)
  const params = node?.['params']
  const [first] = Array.isArray(params) ? Array.from<unknown>(params) : []
  if (isNode(first, 'ObjectPattern')) return namesIn(first)
  const request = nameOf(first)
  if (request === '' || !isNode(first, 'Identifier')) return []
  const nodes = [...nodesOf(node?.['body'])]
  const targets = new Set(nodes.flatMap((one) => (one.type === 'AssignmentExpression' ? [one['left']] : [])))
  return nodes.flatMap((one) => {
    if (one.type === 'VariableDeclarator' && isRequest(one['init'], request)) return namesIn(one['id'])
    if (one.type !== 'MemberExpression' || !isRequest(one['object'], request)) return []
    if (one['computed'] === true && !isNode(one['property'], 'Literal')) return []
    return [{ name: nameOf(one), isSet: targets.has(one) }]
  })
}

function isRequest(value: unknown, request: string): boolean {
  return isNode(value, 'Identifier') && nameOf(value) === request
}

/** Returns the names that a pattern takes out of an object. */
function namesIn(pattern: unknown): Access[] {
  if (!isNode(pattern, 'ObjectPattern') || !Array.isArray(pattern['properties'])) return []
  return Array.from<unknown>(pattern['properties']).flatMap((one) =>
    isNode(one, 'Property') && one['computed'] !== true ? [{ name: nameOf(one['key']), isSet: false }] : [],
  )
}

function toFinding({ method, url, callSite }: RouteDescription, name: string, guard: string | null): Finding {
  return {
    level: 'problem',
    check: 'guards',
    code: 'GUARD_OUT_OF_CONTEXT',
    message: `${method} ${url} reads request.${name} behind no guard of that name, and fails with 500: define it in the context of the guard (added at ${guard ?? 'an unknown file'}), or add the guard in an ancestor of both`,
    callSite,
  }
}
