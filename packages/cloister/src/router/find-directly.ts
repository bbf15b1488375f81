import type { ConstraintValues } from './constraints.ts'
import type { Params, Route } from './endpoint.ts'
import type { Node } from './node.ts'
import { decodeQuickly } from './read-target.ts'

const HASH = 35
const PERCENT = 37
const SLASH = 47
const SEMICOLON = 59
const QUESTION_MARK = 63
const NO_VALUES: readonly string[] = []

/** A route that a target reaches. */
export class Match<Stored> {
  readonly stored: Stored
  readonly params: Params
  /** the raw query string */
  readonly query: string

  constructor(route: Route<Stored>, values: readonly string[], query: string) {
    this.stored = route.stored
    this.params = route.createParams(values)
    this.query = query
  }
}

/**
 * Follows a target down the tree, without going back: most requests reach their route that way. Text is compared as it
 * comes, so that nothing is cut but the values of parameters.
 *
 * @param root - the node before the first slash, which no route with a parameter leaves
 * @returns `null` where no route matches; `undefined` where this does not decide: escapes may hide text of a route,
 * some value is too long, or there was another way
 */
export function findDirectly<Stored>(
  root: Node<Stored>,
  target: string,
  constraints: ConstraintValues | undefined,
  maxLength: number,
  hasSemicolons: boolean,
): Match<Stored> | null | undefined {
  const { length } = target
  const [slash] = root.children
  if (slash === undefined) return undefined
  let node: Node<Stored> = slash
  let at = 1
  let values: string[] | null = null
  let hasOtherWays = root.wildcard !== null
  for (;;) {
    const code = at < length ? target.charCodeAt(at) : QUESTION_MARK
    if (code === QUESTION_MARK || code === HASH || (code === SEMICOLON && hasSemicolons)) {
      const { endpoint } = node
      // Most apps have no constraints.
      const route =
        endpoint === null ? null : constraints === undefined ? endpoint.plain : endpoint.pick(constraints)
      if (route !== null)
        return new Match(route, values ?? NO_VALUES, at < length ? target.slice(at + 1) : '')
    } else {
      const { codes } = node
      let index = 0
      while (index < codes.length && codes[index] !== code) index++
      const child = index < codes.length ? node.children[index] : undefined
      if (child !== undefined && target.startsWith(child.prefix, at)) {
        hasOtherWays ||= node.parameters.length > 0 || node.wildcard !== null
        at += child.prefix.length
        node = child
        continue
      }
    }
    const edge = node.parameters[0]
    if (edge === undefined) {
      if (node.wildcard !== null) return takeRest(node, target, at, constraints, values, hasSemicolons)
      return hasOtherWays || target.includes('%') ? undefined : null
    }
    if (edge.pattern !== null) return undefined
    hasOtherWays ||= node.parameters.length > 1 || node.wildcard !== null
    const start = at
    let next = code
    let hasEscapes = false
    while (next !== SLASH) {
      if (next === PERCENT) hasEscapes = true
      if (next === QUESTION_MARK || next === HASH || (next === SEMICOLON && hasSemicolons)) break
      at++
      next = at < length ? target.charCodeAt(at) : QUESTION_MARK
    }
    const value = hasEscapes ? decoded(node, target, start, at) : target.slice(start, at)
    if (value === null || value.length > maxLength) return undefined
    if (values === null) values = [value]
    else values.push(value)
    node = edge.node
  }
}

/** The value behind a node without its escapes; `null` where they may hide the text of another way. */
function decoded(node: Node<unknown>, target: string, start: number, end: number): string | null {
  return node.codes.length === 0 ? decodeQuickly(target.slice(start, end)) : null
}

/** The rest of the path is the value of a wildcard. */
function takeRest<Stored>(
  node: Node<Stored>,
  target: string,
  start: number,
  constraints: ConstraintValues | undefined,
  values: string[] | null,
  hasSemicolons: boolean,
): Match<Stored> | undefined {
  const route = node.wildcard?.pick(constraints) ?? null
  if (route === null) return undefined
  let end = start
  let hasEscapes = false
  for (; end < target.length; end++) {
    const code = target.charCodeAt(end)
    if (code === PERCENT) hasEscapes = true
    if (code === QUESTION_MARK || code === HASH || (code === SEMICOLON && hasSemicolons)) break
  }
  const value = hasEscapes ? decoded(node, target, start, end) : target.slice(start, end)
  if (value === null) return undefined
  const query = end < target.length ? target.slice(end + 1) : ''
  return new Match(route, values === null ? [value] : [...values, value], query)
}
