import type { ErrorObject } from 'ajv'
import { isObject, isSchemaObject } from '../guards.ts'
import { instanceKeys, pointerKeys } from '../document/pointer.ts'
import { childLocation, normalizeUri, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import { refOf } from '../document/references.ts'
import { UNIONS } from '../walk/flatten.ts'
import type { Decider } from './decider.ts'

/*
 * `unionErrors: 'branch'`. When no branch of a union matches, Ajv lists the errors of every branch. If a property
 * discriminates the branches (each allows other constants for it), the errors of the branch that the value names
 * replace the list.
 */

const MAX_DEPTH = 8
/** With more errors than this, only the last union is narrowed. */
const MAX_ERRORS = 100

/** The schema of the errors, with what is needed to validate parts of it again. */
export interface UnionContext {
  readonly root: SchemaLocation
  readonly scope: SchemaScope
  readonly decider: Decider
}

/** Narrows the errors of a union with a discriminator to those of the branch that the value names. */
export function narrowUnionErrors(
  errors: readonly ErrorObject[],
  data: unknown,
  context: UnionContext,
  depth: number = 0,
): ErrorObject[] {
  const end = errors.findLastIndex(({ keyword }) => UNIONS.has(keyword))
  const union = errors[end]
  if (union === undefined || depth === MAX_DEPTH) return [...errors]
  // With `allErrors` or an error limit, several unions may have failed.
  const narrow = (some: readonly ErrorObject[]): readonly ErrorObject[] =>
    errors.length > MAX_ERRORS ? some : narrowUnionErrors(some, data, context, depth)
  const named = readNamed(union, data, context)
  const found = named && narrowToNamed(errors, end, named, context)
  if (found === undefined) return [...narrow(errors.slice(0, end)), ...errors.slice(end)]
  const own = narrowUnionErrors(found.own, data, context, depth + 1)
  return [...narrow(errors.slice(0, found.start)), ...own, ...errors.slice(end + 1)]
}

/** A union that failed, with the branch that its value names. */
interface NamedBranch {
  readonly union: ErrorObject
  readonly branches: SchemaLocation
  readonly count: number
  readonly value: unknown
  readonly index: number
}

function readNamed(union: ErrorObject, data: unknown, context: UnionContext): NamedBranch | undefined {
  const value = valueAt(data, union.instancePath)
  const branches = context.scope.resolve(context.root, union.schemaPath)
  if (branches === undefined || !Array.isArray(branches.schema) || !isSchemaObject(value)) return undefined
  const count = branches.schema.length
  const index = namedBranch(branches, count, value, context.scope)
  return index === undefined ? undefined : { union, branches, count, value, index }
}

/** Returns where the errors of all branches begin, and those of the named one. */
function narrowToNamed(
  errors: readonly ErrorObject[],
  end: number,
  named: NamedBranch,
  { decider, scope }: UnionContext,
): { readonly start: number; readonly own: readonly ErrorObject[] } | undefined {
  const { union, branches, value, index } = named
  // A copy, because the branch may coerce the value.
  const own = decider.errorsOfPart(`${union.schemaPath}/${index}`, structuredClone(value)) ?? []
  const start = decider.branchesStart?.(union) ?? countedStart(errors, end, named, decider)
  // Not if another branch has removed what this one refused: then the errors would be about what is left.
  const isKnown =
    start !== undefined && errors.slice(start, end).some((error) => isSame(error, own[0], union.instancePath))
  if (!isKnown) return undefined
  const branch = followed(childLocation(branches, [index]), scope)
  const base = schemaPathOf(branch)
  // Changed in place, because the decider identifies the errors of unions by object.
  for (const error of own) {
    error.instancePath = union.instancePath + error.instancePath
    if (isPathBelow(branch, error.schemaPath)) error.schemaPath = base + error.schemaPath.slice(1)
  }
  return { start, own }
}

/**
 * Returns where the errors of the branches begin, if the decider doesn't note it: all branches run again, in their
 * order and over one value, because they may coerce it. Undefined if their errors are others than the first time.
 */
function countedStart(
  errors: readonly ErrorObject[],
  end: number,
  { union, count, value }: NamedBranch,
  decider: Decider,
): number | undefined {
  const copy = structuredClone(value)
  const again = Array.from(
    { length: count },
    (_, index) => decider.errorsOfPart(`${union.schemaPath}/${index}`, copy) ?? [],
  ).flat()
  const start = end - again.length
  return again.every((error, index) => isSame(errors[start + index], error, union.instancePath))
    ? start
    : undefined
}

/** Whether an error of the whole value is one of a part, which is at `base`. */
function isSame(whole: ErrorObject | undefined, part: ErrorObject | undefined, base: string): boolean {
  return (
    part !== undefined &&
    whole?.instancePath === base + part.instancePath &&
    whole.keyword === part.keyword &&
    whole.message === part.message
  )
}

function schemaPathOf({ document, pointer }: SchemaLocation): string {
  const path = pointer.split('/').map(encodeURIComponent).join('/')
  return `${normalizeUri(document.sharedId ?? '')}#${path}`
}

/** Whether the path of an error begins at a schema. After some references it begins at the root of the document. */
function isPathBelow(schema: SchemaLocation, schemaPath: string): boolean {
  const keys = schemaPath.startsWith('#/') ? pointerKeys(schemaPath.slice(1)) : undefined
  if (keys === undefined) return false
  // The errors of `false` have a last key that is not in the schema.
  const existing = keys.at(-1) === 'false schema' ? keys.slice(0, -1) : keys
  return childLocation(schema, existing).schema !== undefined
}

/** Returns the only branch whose constants allow the value, by a property for which every branch has constants. */
function namedBranch(
  list: SchemaLocation,
  length: number,
  value: Record<string, unknown>,
  scope: SchemaScope,
): number | undefined {
  const branches = Array.from({ length }, (_, index) =>
    constantsOf(followed(childLocation(list, [index]), scope)),
  )
  for (const name of branches[0]?.keys() ?? []) {
    if (!branches.every((constants) => constants.has(name))) continue
    const fitting = branches.flatMap((constants, index) =>
      constants.get(name)?.includes(value[name]) ? index : [],
    )
    if (fitting.length === 1) return fitting[0]
  }
  return undefined
}

function followed(location: SchemaLocation, scope: SchemaScope): SchemaLocation {
  let at = location
  for (let hops = 0; hops < MAX_DEPTH; hops++) {
    const ref = refOf(at)
    const target = ref === undefined ? undefined : scope.resolve(at, ref)
    if (target === undefined) return at
    at = target
  }
  return at
}

function constantsOf({ schema }: SchemaLocation): Map<string, readonly unknown[]> {
  const constants = new Map<string, readonly unknown[]>()
  const properties = isSchemaObject(schema) ? schema['properties'] : undefined
  if (!isSchemaObject(properties)) return constants
  for (const [name, property] of Object.entries(properties)) {
    if (!isSchemaObject(property)) continue
    const { enum: allowed, const: only } = property
    if (Array.isArray(allowed)) constants.set(name, allowed)
    else if (only !== undefined) constants.set(name, [only])
  }
  return constants
}

function valueAt(data: unknown, instancePath: string): unknown {
  let value = data
  for (const key of instanceKeys(instancePath)) value = isObject(value) ? value[key] : undefined
  return value
}
