import { MAX_REFERENCES } from '../document/depth.ts'
import { fragmentOf, normalizeUri, type SchemaLocation } from '../document/location.ts'
import { refOf } from '../document/references.ts'
import { acceptsAnything, hasRuleBesideReference } from '../document/known-keywords.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { remember } from '../remember.ts'
import type { Block, Target } from '../walk/code.ts'
import { dynamicAnchorOf } from '../walk/dynamic-scope.ts'
import {
  FAILED,
  Frame,
  PASSED,
  type Decided,
  type ErrorList,
  type Mode,
  type Outcome,
  type Walk,
} from '../walk/walk.ts'
import { ASK, type Look, type Verdict } from '../walk/look.ts'
import type { NodeContext, SchemaNode } from '../walk/node.ts'
import { KeywordPart, type Behaviour, type Keyword, type Part } from '../walk/part.ts'
import type { Treatment } from '../walk/removal.ts'
import type { Value } from '../walk/value.ts'

/** A reference to a schema that counts as inlined, or as a function. */
class ReferencePart implements Part {
  readonly #target: SchemaNode
  #keys: Readonly<Record<Treatment, object>> | undefined = undefined

  constructor(target: SchemaNode) {
    this.#target = target
  }

  get below(): readonly SchemaNode[] {
    return [this.#target]
  }

  fits(data: unknown, look: Look, parent: unknown, key: string | number): Verdict {
    return this.#target.plan.lookBehind(data, look, parent, key)
  }

  apply(data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    if (!this.#target.isFunction) return this.#target.apply(value, mode, frame) ? PASSED : FAILED
    const { walk } = frame
    const { decisions, descent } = walk
    const isFree = decisions.isFree() && !descent.isDeep && !descent.isFull
    if (!isFree && !isObject(data)) descent.stopEndless()
    // What was evaluated is not stored, because it concerns one value, and no more schemas than the written ones.
    const isKept = !isFree && value.evaluated === undefined
    const errors =
      isKept && isObject(data)
        ? this.#decideOnce(value, data, mode, walk)
        : frame.call(this.#target, value, mode)
    if (errors === null) return PASSED
    frame.errors.push(errors)
    return FAILED
  }

  emit(target: Target, block: Block): void {
    block.unit.reference(this.#target, target, block)
  }

  #decide(value: Value, mode: Mode, walk: Walk): ErrorList | null {
    return new Frame(walk).call(this.#target, value, mode)
  }

  #decideOnce(value: Value, data: object, mode: Mode, walk: Walk): ErrorList | null {
    const { removal, descent, scope } = walk
    const { treatment } = removal
    const keys = (this.#keys ??= { remove: this.#target, refuse: {}, note: {} })
    const key = keys[treatment]
    const decided = walk.decisions.of(scope === undefined ? key : scope.keyOf(key))
    const known = decided.get(data)
    if (known !== undefined) {
      descent.found(known)
      known.repeat()
      return known.errors
    }
    if (descent.isFull) {
      const kept = value.kept()
      descent.pause(() => {
        walk.begin()
        walk.scope = scope
        const made = removal.with(treatment, () => this.#decideAnew(kept, mode, walk))
        decided.set(data, made)
        return made
      })
    }
    const result = this.#decideAnew(value, mode, walk)
    decided.set(data, result)
    return result.errors
  }

  /** The same is removed or refused each time. */
  #decideAnew(value: Value, mode: Mode, walk: Walk): Decided {
    const { removal } = walk
    if (removal.treatment === 'remove') return { errors: this.#decide(value, mode, walk), repeat: () => {} }
    if (removal.treatment === 'note') {
      let errors: ErrorList | null = null
      const { noted } = removal.collect(() => (errors = this.#decide(value, mode, walk)) === null)
      removal.repeat(noted)
      return { errors, repeat: () => removal.repeat(noted) }
    }
    const outer = removal.hasRefused
    removal.hasRefused = false
    const errors = this.#decide(value, mode, walk)
    const refused = removal.hasRefused
    removal.hasRefused ||= outer
    return { errors, repeat: () => void (removal.hasRefused ||= refused) }
  }
}

/** The keyword `$ref`. Its schema counts as inlined, or as a function. */
export const reference: Keyword = {
  names: ['$ref'],
  read({ context, location }) {
    const target = referredAt(location, context)
    return target && new ReferencePart(inlinedAt(location, target, context) ?? context.functionAt(target))
  },
}

/** Returns the target to apply in place of a schema that is only a reference. */
export function inPlaceOf(location: SchemaLocation, context: NodeContext): SchemaNode | undefined {
  if (context.isDynamic || onlyReference(location) === undefined) return undefined
  const target = referredAt(location, context)
  return target && inlinedAt(location, target, context)
}

/** Returns the target of a reference; undefined if that accepts everything. */
function referredAt(
  site: SchemaLocation,
  { scope, isDynamic, json }: NodeContext,
  written: string | undefined = refOf(site),
): SchemaLocation | undefined {
  if (written === undefined) return undefined
  // Resources on the way are relevant for a `$dynamicRef`.
  const target = isDynamic || json !== undefined ? scope.resolve(site, written) : targetOf(site, scope)
  return target === undefined || acceptsAnything(target.schema) ? undefined : target
}

/** Errors name an inlined schema by its reference, as written. */
function inlinedAt(
  site: SchemaLocation,
  target: SchemaLocation,
  context: NodeContext,
): SchemaNode | undefined {
  return context.inlinedAt(target, refOf(site) ?? '')
}

/** A `$dynamicRef`, whose target only a walk can find. */
interface Dynamic {
  readonly first: SchemaLocation
  /** The anchor to find in the outer resources; undefined if the target is fixed. */
  readonly anchor: string | undefined
  readonly calls: Map<SchemaLocation, ReferencePart>
}

const DYNAMIC: Behaviour<unknown, Dynamic, object> = {
  names: ['$dynamicRef'],
  asksAlways: true,
  below: () => [],
  fits: () => ASK,
  apply({ node, read: { first, anchor, calls } }, data, value, mode, frame) {
    const found = anchor === undefined ? undefined : frame.walk.scope?.find(anchor)
    const target = found ?? first
    const call = remember(calls, target, () => new ReferencePart(node.context.functionAt(target)))
    return call.apply(data, value, mode, frame)
  },
  emit: (_part, _target, { writer, defer }) => writer.line(defer),
}

/** The keyword `$dynamicRef` of 2020-12. */
export const dynamicReference: Keyword = {
  names: DYNAMIC.names,
  read(node) {
    const ref = node.schema['$dynamicRef']
    const { context, location } = node
    if (typeof ref !== 'string' || location.document.dialect === 'draft-07') return undefined
    if (context.json !== undefined) {
      const target = referredAt(location, context, ref)
      return target && new ReferencePart(context.functionAt(target))
    }
    const first = context.scope.resolve(location, ref)
    if (first === undefined) return undefined
    const name = dynamicAnchorOf(first)
    const anchor = name !== undefined && ref.endsWith(`#${name}`) ? name : undefined
    return new KeywordPart(DYNAMIC, node, { first, anchor, calls: new Map() })
  },
}

/**
 * Returns the target of a reference in Ajv, which skips a schema that is only a reference if a JSON pointer leads to
 * it.
 */
export function targetOf(site: SchemaLocation, scope: NodeContext['scope']): SchemaLocation | undefined {
  const written = refOf(site) ?? ''
  const first = scope.resolve(site, written)
  if (first === undefined || !leadsByPointer(written, first)) return first
  let target: SchemaLocation = first
  for (let hops = 0; hops < MAX_REFERENCES; hops++) {
    const ref = onlyReference(target) ?? ''
    const next = ref === '' ? undefined : scope.resolve(target, ref)
    if (next === undefined) return target
    const fragment = fragmentOf(normalizeUri(ref))
    if (fragment === '') {
      const isOtherDocument = next.pointer === '' && next.document !== target.document
      return isOtherDocument ? next : target
    }
    if (!fragment.startsWith('/')) return target
    target = next
  }
  return target
}

/** Ajv finds a schema below a document by a pointer, also where the reference is the schema's own `$id`. */
function leadsByPointer(ref: string, target: SchemaLocation): boolean {
  const fragment = fragmentOf(normalizeUri(ref))
  return fragment === '' ? target.pointer !== '' : fragment.startsWith('/')
}

/** The reference of a schema that has no other rules. */
export function onlyReference(location: SchemaLocation): string | undefined {
  const { schema } = location
  return isSchemaObject(schema) && hasRuleBesideReference(schema) ? undefined : refOf(location)
}
