import { twiceRegistered, type CallSite } from '../call-site.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord } from '../guards.ts'

export type DecoratorKind = 'instance' | 'request' | 'reply'

export interface Decoration {
  readonly name: PropertyKey
  readonly value: unknown
  readonly callSite: CallSite
}

/** A decorator given as `{ getter, setter? }`. */
export interface Accessor {
  readonly getter: (this: unknown) => unknown
  readonly setter?: (this: unknown, value: unknown) => void
}

export function isAccessor(value: unknown): value is Accessor {
  return isRecord(value) && (isFunction(value['getter']) || isFunction(value['setter']))
}

/** Returns whether all requests would share the value: an object or array that is not an accessor. */
function isReference(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isAccessor(value)
}

/** The members that every app, request or reply has before any decorator. */
export interface BuiltInMembers {
  has(name: PropertyKey): boolean
  /** Returns whether decorators can't replace the member. */
  isTaken(name: PropertyKey): boolean
}

/**
 * The decorators of one kind in one context, linked to those of its parent. A context sees its own decorators and those
 * of its ancestors.
 */
export class DecoratorTable {
  readonly kind: DecoratorKind
  readonly parent: DecoratorTable | null
  readonly #own = new Map<PropertyKey, Decoration>()
  readonly #builtIn: BuiltInMembers

  /** @param builtIn - the members before any decorator */
  constructor(kind: DecoratorKind, builtIn: BuiltInMembers, parent: DecoratorTable | null) {
    this.kind = kind
    this.parent = parent
    this.#builtIn = builtIn
  }

  find(name: PropertyKey): Decoration | undefined {
    return this.#own.get(name) ?? this.parent?.find(name)
  }

  has(name: PropertyKey): boolean {
    return this.#builtIn.has(name) || this.find(name) !== undefined
  }

  /**
   * Adds a decoration. It hides one of the same name from an ancestor, in this context and its descendants.
   *
   * @throws `CLO_ERR_DEC_ALREADY_PRESENT` with the call site of the first one, `CLO_ERR_DEC_REFERENCE_TYPE`
   */
  add(decoration: Decoration): void {
    const { name, value } = decoration
    const first = this.#own.get(name)
    if (first !== undefined || this.#builtIn.isTaken(name)) {
      throw createError('DEC_ALREADY_PRESENT', {
        name: String(name),
        kind: this.kind,
        first: first?.callSite ?? 'the framework itself',
        hint: twiceRegistered(first?.callSite ?? null, decoration.callSite),
      })
    }
    if (this.kind !== 'instance' && isReference(value)) {
      throw createError('DEC_REFERENCE_TYPE', {
        name: String(name),
        type: Object.prototype.toString.call(value).slice(8, -1).toLowerCase(),
      })
    }
    this.#own.set(name, decoration)
  }

  /** Returns the names that this context sees, without symbols. */
  names(): string[] {
    const own = [...this.#own.keys()].filter((name) => typeof name === 'string')
    return [...own, ...(this.parent?.names() ?? [])]
  }

  /** The decorations of this context alone, in the order in which they were added. */
  get own(): Iterable<Decoration> {
    return this.#own.values()
  }

  get isEmpty(): boolean {
    return this.#own.size === 0
  }
}

/** Defines a decoration on an object: an accessor as a property with `get` and `set`, anything else as a value. */
export function defineDecoration(target: object, { name, value }: Decoration): void {
  if (isAccessor(value)) {
    const { getter: get, setter: set } = value
    Object.defineProperty(target, name, {
      get,
      ...(set === undefined ? {} : { set }),
      configurable: true,
      enumerable: true,
    })
  } else {
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true })
  }
}

/**
 * Checks the dependencies of a decorator.
 *
 * @throws `CLO_ERR_DEC_DEPENDENCY_INVALID_TYPE`, `CLO_ERR_DEC_MISSING_DEPENDENCY`
 */
export function checkDependencies(table: DecoratorTable, name: PropertyKey, dependencies: unknown): void {
  if (dependencies === undefined || dependencies === null) return
  if (!Array.isArray(dependencies)) throw createError('DEC_DEPENDENCY_INVALID_TYPE', { name: String(name) })
  const names: readonly PropertyKey[] = dependencies
  for (const dependency of names) {
    if (!table.has(dependency)) throw createError('DEC_MISSING_DEPENDENCY', { name: String(dependency) })
  }
}

function assertDeclared(target: object, name: PropertyKey, kind: DecoratorKind): void {
  if (!(name in target)) throw createError('DEC_UNDECLARED', { name: String(name), kind })
}

/**
 * Returns a decorator; a function is bound to its object.
 *
 * @throws `CLO_ERR_DEC_UNDECLARED`
 */
export function readDecorator(target: object, name: PropertyKey, kind: DecoratorKind): unknown {
  assertDeclared(target, name, kind)
  const value: unknown = Reflect.get(target, name)
  return isFunction(value) ? value.bind(target) : value
}

/**
 * Assigns a declared decorator.
 *
 * @throws `CLO_ERR_DEC_UNDECLARED`
 */
export function writeDecorator(target: object, name: PropertyKey, value: unknown, kind: DecoratorKind): void {
  assertDeclared(target, name, kind)
  // Throws for a getter without a setter, as an assignment does.
  Object.assign(target, { [name]: value })
}
