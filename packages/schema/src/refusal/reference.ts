import { MAX_REFERENCES } from '../document/depth.ts'
import { normalizeUri, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import { refOf } from '../document/references.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { acceptsAnything, HAS, surveyKeywords } from '../validator/acceptor/read/keywords.ts'
import { REFUSED } from '../runtime/coerce.ts'
import { FAILED, Frame, PASSED, type ErrorList } from './frame.ts'
import { isInlined } from './inlining.ts'
import type { Mode } from './mode.ts'
import type { Applied, Unit } from './node.ts'
import type { CheckFactory } from './plan.ts'
import type { Treatment } from './removal.ts'
import type { Value } from './value.ts'
import type { Decided, Walk } from './walk.ts'

/** The keyword `$ref` beside others. */
export const referenceCheck: CheckFactory = (node) => {
  const { unit, location } = node
  if (refOf(location) === undefined) return undefined
  const target = referenced(unit, location)
  return (value, mode, frame) => (target.apply(value, mode, frame) ? PASSED : FAILED)
}

/** Reads what a `$ref` leads to. It counts as written in place of the reference, or as a function of its own. */
export function referenced(unit: Unit, site: SchemaLocation): Applied {
  // The resources on the way count for a `$dynamicRef`.
  const target = unit.isDynamic ? unit.scope.resolve(site, refOf(site) ?? '') : targetOf(site, unit.scope)
  if (target === undefined) return ANYTHING
  if (!isInlined(target.schema, unit.settings.inlineRefs)) return unit.call(target)
  // Errors name a schema in place by the reference, as it is written.
  return acceptsAnything(target.schema) ? ANYTHING : unit.applied(target, refOf(site) ?? '')
}

const ANYTHING: Applied = { accepts: () => true, coerced: () => REFUSED, apply: () => true }

/** A reference to a function. */
export class Call implements Applied {
  readonly #node: Applied
  readonly #keys: Readonly<Record<Treatment, object>>

  constructor(node: Applied) {
    this.#node = node
    this.#keys = { remove: node, refuse: {}, note: {} }
  }

  accepts(): boolean {
    return false
  }

  coerced(): unknown {
    return REFUSED
  }

  apply(value: Value, mode: Mode, frame: Frame): boolean {
    const { walk } = frame
    const { data } = value
    const isFree = walk.decisions.isFree() && !walk.descent.isDeep && !walk.descent.isFull
    // What is evaluated is not kept. It has to do with one value, whose schemas are no more than those written.
    const isKept = !isFree && value.evaluated === undefined
    const errors =
      isKept && isObject(data) ? this.#decideOnce(value, data, mode, walk) : this.#decide(value, mode, walk)
    if (errors !== null) frame.errors.push(errors)
    return errors === null
  }

  #decide(value: Value, mode: Mode, walk: Walk): ErrorList | null {
    const inner = new Frame(walk)
    walk.descent.level += 1
    const fits = this.#node.apply(value.copy(), mode.isTrial ? walk.trialMode : walk.mode, inner)
    walk.descent.level -= 1
    return fits ? null : inner.errors
  }

  #decideOnce(value: Value, data: object, mode: Mode, walk: Walk): ErrorList | null {
    const { removal, descent, scope } = walk
    const { treatment } = removal
    const key = this.#keys[treatment]
    const decided = walk.decisions.of(scope === undefined ? key : scope.keyOf(key))
    const known = decided.get(data)
    if (known !== undefined) {
      descent.found()
      known.repeat()
      return known.errors
    }
    if (descent.isFull) {
      descent.pause(() => {
        walk.begin()
        walk.scope = scope
        removal.with(treatment, () => decided.set(data, this.#decideAnew(value, mode, walk)))
      })
    }
    const result = this.#decideAnew(value, mode, walk)
    decided.set(data, result)
    return result.errors
  }

  /** What is removed or refused the first time is so each time. */
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

/**
 * What a reference leads to in Ajv, which looks through a schema that is nothing but a reference when a JSON pointer
 * leads to it.
 */
export function targetOf(site: SchemaLocation, scope: SchemaScope): SchemaLocation | undefined {
  const written = refOf(site) ?? ''
  const first = scope.resolve(site, written)
  if (first === undefined || !leadsByPointer(written, first)) return first
  let target: SchemaLocation = first
  for (let hops = 0; hops < MAX_REFERENCES; hops++) {
    const ref = onlyReference(target) ?? ''
    const next = ref === '' ? undefined : scope.resolve(target, ref)
    if (next === undefined) return target
    const fragment = fragmentOf(ref)
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
  const fragment = fragmentOf(ref)
  return fragment === '' ? target.pointer !== '' : fragment.startsWith('/')
}

function fragmentOf(ref: string): string {
  const uri = normalizeUri(ref)
  const hash = uri.indexOf('#')
  return hash === -1 ? '' : uri.slice(hash + 1)
}

/** The reference of a schema that has no other rules. */
export function onlyReference({ schema, document }: SchemaLocation): string | undefined {
  if (!isSchemaObject(schema) || (surveyKeywords(schema, document.dialect) & HAS.rule) !== 0) return undefined
  const ref = schema['$ref']
  return typeof ref === 'string' ? ref : undefined
}
