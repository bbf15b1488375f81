import type { Comparison } from './compare-schemas.ts'
import type { Json } from './json.ts'
import { listOf, objectOf, textOf } from './json.ts'

/** One way to get access: schemes with their scopes; empty for public access. */
type Requirement = ReadonlyMap<string, readonly string[]>

function requirementsOf(operation: Json, root: Json): Requirement[] {
  const given = operation['security'] ?? root['security']
  const all = listOf(given).map(
    (one) =>
      new Map(Object.entries(objectOf(one)).map(([name, scopes]) => [name, listOf(scopes).map(String)])),
  )
  return all.length === 0 ? [new Map()] : all
}

function meets(one: Requirement, other: Requirement): boolean {
  return [...other].every(
    ([name, scopes]) => scopes.every((scope) => one.get(name)?.includes(scope)) && one.has(name),
  )
}

/** Reports requests that had access before and no longer have, and those that have access now and had none. */
export function compareSecurity(
  before: Json,
  after: Json,
  { before: first, after: second, report }: Comparison,
): void {
  const [old, now] = [requirementsOf(before, first.root), requirementsOf(after, second.root)]
  for (const requirement of old) {
    if (now.some((one) => meets(requirement, one))) continue
    const names = [...requirement.keys()]
    const isScope = now.some((one) => [...one.keys()].every((name) => requirement.has(name)))
    const [check, message] =
      names.length === 0
        ? ['security-added', 'requests without credentials are refused']
        : isScope
          ? ['security-scope-added', `${names.join(' and ')} needs scopes that clients do not have`]
          : ['security-removed', `${names.join(' and ')} does not let clients in any more`]
    report({ level: 'error', check, where: 'security', message })
  }
  for (const requirement of now) {
    const isOld = old.some((one) => meets(requirement, one))
    const lost = old.find((one) => meets(one, requirement))
    if (isOld || lost === undefined) continue
    const message = `${whoPassed(lost)} was needed, and ${whoPasses(requirement)}: a guard or a scope is gone`
    report({ level: 'error', check: 'security-loosened', where: 'security', message })
  }
}

function whoPassed(requirement: Requirement): string {
  return [...requirement].map(([name, scopes]) => [name, ...scopes].join(' ')).join(' and ')
}

function whoPasses(requirement: Requirement): string {
  return requirement.size === 0
    ? 'requests without credentials are let in'
    : `${whoPassed(requirement)} is enough`
}

/** The fields of a security scheme that clients use. */
const FIELDS = ['type', 'scheme', 'in', 'name', 'openIdConnectUrl', 'bearerFormat', 'flows'] as const
/** Fields that only describe; changes of them are warnings. */
const MILD = new Set(['bearerFormat', 'flows'])

/** Reports security schemes that have changed. */
export function compareSchemes({ before, after, report }: Comparison): void {
  const schemesOf = (root: Json): Json => objectOf(objectOf(root['components'])['securitySchemes'])
  const now = schemesOf(after.root)
  for (const [name, scheme] of Object.entries(schemesOf(before.root))) {
    if (now[name] === undefined) continue
    const [one, other] = [before.follow(scheme), after.follow(now[name])]
    for (const field of FIELDS) {
      if (textOf(one[field]) === textOf(other[field])) continue
      const message = `${field}: ${textOf(one[field])} → ${textOf(other[field])}`
      const level = MILD.has(field) ? 'warning' : 'error'
      report({ level, check: 'security-scheme-changed', where: `security scheme ${name}`, message })
    }
  }
}
