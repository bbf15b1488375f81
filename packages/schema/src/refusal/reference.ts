import { MAX_REFERENCES } from '../document/depth.ts'
import { normalizeUri, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import { refOf } from '../document/references.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { acceptsAnything, HAS, surveyKeywords } from '../validator/acceptor/read/keywords.ts'
import { FAILED, Frame, PASSED } from './frame.ts'
import { isInlined } from './inlining.ts'
import type { Mode } from './mode.ts'
import type { Applied, SchemaNode, Unit } from './node.ts'
import type { CheckFactory } from './plan.ts'
import type { Value } from './value.ts'

/** The keyword `$ref` beside others. */
export const referenceCheck: CheckFactory = (node) => {
  const { unit, location } = node
  if (refOf(location) === undefined) return undefined
  const target = referenced(unit, location)
  return (value, mode, frame) => (target.apply(value, mode, frame) ? PASSED : FAILED)
}

/** Reads what a `$ref` leads to. It counts as written in place of the reference, or as a function of its own. */
export function referenced(unit: Unit, site: SchemaLocation): Applied {
  const target = targetOf(site, unit.scope)
  if (target === undefined) return ANYTHING
  if (!isInlined(target.schema, unit.settings.inlineRefs)) return new Call(unit.functionOf(target))
  // Errors name a schema in place by the reference, as it is written.
  return acceptsAnything(target.schema) ? ANYTHING : unit.applied(target, refOf(site) ?? '')
}

const ANYTHING: Applied = { accepts: () => true, apply: () => true }

/** A reference to a function. */
class Call implements Applied {
  readonly #node: SchemaNode

  constructor(node: SchemaNode) {
    this.#node = node
  }

  accepts(): boolean {
    return false
  }

  apply(value: Value, _mode: Mode, frame: Frame): boolean {
    const { walk } = frame
    const { data } = value
    const decided = walk.decisions.isFree() ? undefined : walk.decisions.of(this.#node)
    let errors = decided !== undefined && isObject(data) ? decided.get(data) : undefined
    if (errors === undefined) {
      const inner = new Frame(walk)
      errors = this.#node.apply(value.copy(), walk.mode, inner) ? null : inner.errors
      if (decided !== undefined && isObject(data)) decided.set(data, errors)
    }
    if (errors === null) return true
    frame.errors.push(errors)
    return false
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
    const ref = onlyReference(target.schema) ?? ''
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
export function onlyReference(schema: unknown): string | undefined {
  if (!isSchemaObject(schema) || (surveyKeywords(schema) & HAS.rule) !== 0) return undefined
  const ref = schema['$ref']
  return typeof ref === 'string' ? ref : undefined
}
