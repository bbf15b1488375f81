import { childLocation } from '@cloister/schema'
import { isSchemaObject } from '@cloister/schema/internal'
import type { SchemaLocation, SchemaScope } from '@cloister/schema'

import { quoted } from './type-text.ts'
import type { TypeText } from './type-text.ts'

/**
 * Who uses a type: `in` for what clients or handlers send, `out` for what clients get, `parsed` for what handlers
 * get. Properties with defaults are optional, or always present; properties without a schema are never in what
 * clients get.
 */
export type Side = 'in' | 'out' | 'parsed'

const TABLES: Readonly<Record<Side, string>> = { in: 'Inputs', out: 'Schemas', parsed: 'Parsed' }

/** Where a reference is: the context that resolves it, and its route. */
export interface Place {
  readonly side: Side
  readonly scope: SchemaScope
  readonly route: string
  /** the part of the route, as in `body` and `response 200` */
  readonly part: string
  /** reports what the type cannot express */
  warn(part: string, reason: string): void
}

/** The pointer of a definition for references. */
const DEFINITION = /^\/(?:definitions|\$defs)\/([^/]+)$/

export type WriteType = (target: SchemaLocation, place: Place) => TypeText

/** The types for the targets of references. Each has one name, so that schemas may contain themselves. */
export class NamedTypes {
  readonly #write: WriteType
  readonly #names = new Map<string, string>()
  readonly #texts: Readonly<
    Record<Side, Map<string, { readonly type: TypeText; readonly schema: unknown }>>
  > = {
    in: new Map(),
    out: new Map(),
    parsed: new Map(),
  }
  readonly #taken: Readonly<Record<Side, Set<string>>> = {
    in: new Set(),
    out: new Set(),
    parsed: new Set(),
  }
  readonly #numbers = new Map<unknown, number>()
  readonly #reached = new WeakMap<SchemaScope, Map<unknown, string>>()

  constructor(write: WriteType) {
    this.#write = write
  }

  /** Returns the type of a schema by name. Part of another schema without references is written in place. */
  reference(target: SchemaLocation, place: Place): TypeText {
    const { side, scope } = place
    const isPiece = target.pointer !== '' && !DEFINITION.test(target.pointer)
    if (isPiece && targetsIn(target, scope).length === 0) return this.#write(target, place)
    const key = `${side} ${this.#numberOf(target.document.root.schema)} ${target.pointer} ${this.#reachedFrom(target, scope)}`
    const known = this.#names.get(key)
    const name = known ?? this.#freeName(nameOf(target, place.route), side)
    if (known === undefined) {
      this.#names.set(key, name)
      this.#texts[side].set(name, { type: this.#write(target, place), schema: target.schema })
    }
    return [`${TABLES[side]}[${quoted(name)}]`]
  }

  of(side: Side): [string, { readonly type: TypeText; readonly schema: unknown }][] {
    return [...this.#texts[side]].toSorted(([a], [b]) => (a < b ? -1 : 1))
  }

  #freeName(wanted: string, side: Side): string {
    const taken = this.#taken[side]
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`
    taken.add(name)
    return name
  }

  #numberOf(schema: unknown): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size
    this.#numbers.set(schema, number)
    return number
  }

  /** A shared schema has one type for each set of targets that its references have; this text distinguishes them. */
  #reachedFrom({ document: { root } }: SchemaLocation, scope: SchemaScope): string {
    const known = this.#reached.get(scope) ?? new Map<unknown, string>()
    this.#reached.set(scope, known)
    const found = known.get(root.schema) ?? this.#listReached(root, scope)
    known.set(root.schema, found)
    return found
  }

  #listReached(root: SchemaLocation, scope: SchemaScope): string {
    const roots = new Set<unknown>([root.schema])
    const waiting = [root]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const target of targetsIn(at, scope)) {
        if (roots.has(target.document.root.schema)) continue
        roots.add(target.document.root.schema)
        waiting.push(target.document.root)
      }
    }
    return [...roots]
      .map((schema) => this.#numberOf(schema))
      .toSorted((a, b) => a - b)
      .join()
  }
}

function targetsIn(at: SchemaLocation, scope: SchemaScope): SchemaLocation[] {
  const { schema } = at
  if (typeof schema !== 'object' || schema === null) return []
  const ref = isSchemaObject(schema) ? schema['$ref'] : undefined
  const target = typeof ref === 'string' ? scope.resolve(at, ref) : undefined
  const below = Object.keys(schema).flatMap((key) => targetsIn(childLocation(at, [key]), scope))
  return target === undefined ? below : [target, ...below]
}

/** Returns `user` for a shared schema, `user.address` for a definition in it; otherwise the route comes first. */
function nameOf({ document, pointer, schema }: SchemaLocation, route: string): string {
  const id = isSchemaObject(schema) && typeof schema['$id'] === 'string' ? schema['$id'] : ''
  const own = pointer !== '' && /^[^#]/.test(id) ? id : undefined
  const base = own ?? document.sharedId ?? route
  const [, defined] = DEFINITION.exec(pointer) ?? []
  const name = base.replace(/#$/, '')
  if (pointer === '' || own !== undefined) return name
  return defined === undefined
    ? `${name}#${pointer}`
    : `${name}.${defined.replaceAll('~1', '/').replaceAll('~0', '~')}`
}
