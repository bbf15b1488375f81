import { createError } from '../errors.ts'
import { isFunction, isRecord } from '../guards.ts'
import type { CallSite } from '../call-site.ts'

/** The targets of a decorator. */
export type DecoratorKind = 'instance' | 'request' | 'reply'

/** A decorator as it was added. */
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

/** Whether a decorator value is an accessor. */
export function isAccessor(value: unknown): value is Accessor {
  return isRecord(value) && (isFunction(value['getter']) || isFunction(value['setter']))
}

/** Whether all requests would share a value: an object or array that is not an accessor. */
function isReference(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isAccessor(value)
}

/** The members of every app, request or reply, before any decorator. */
export interface BuiltInMembers {
  has(name: PropertyKey): boolean
  /** Whether a decorator cannot replace the member. */
  isTaken(name: PropertyKey): boolean
}

/**
 * The decorators of one kind in one context, chained to those of its parent: a context sees its ancestors' and its
 * own, and nothing else.
 */
export class DecoratorTable {
  readonly kind: DecoratorKind
  readonly parent: DecoratorTable | null
  readonly #own = new Map<PropertyKey, Decoration>()
  readonly #builtIn: BuiltInMembers

  /**
   * @param builtIn - the members that are there already
   */
  constructor(kind: DecoratorKind, builtIn: BuiltInMembers, parent: DecoratorTable | null) {
    this.kind = kind
    this.parent = parent
    this.#builtIn = builtIn
  }

  /** The decoration that this context sees under a name. */
  find(name: PropertyKey): Decoration | undefined {
    return this.#own.get(name) ?? this.parent?.find(name)
  }

  has(name: PropertyKey): boolean {
    return this.#builtIn.has(name) || this.find(name) !== undefined
  }

  /**
   * Adds a decoration; one of an ancestor under the same name is hidden here and below.
   *
   * @throws `CLO_ERR_DEC_ALREADY_PRESENT` (naming where the first one was added), `CLO_ERR_DEC_REFERENCE_TYPE`
   */
  add(decoration: Decoration): void {
    const { name, value } = decoration
    const first = this.#own.get(name)
    if (first !== undefined || this.#builtIn.isTaken(name)) {
      throw createError('DEC_ALREADY_PRESENT', {
        name: String(name),
        kind: this.kind,
        first: first?.callSite.toString() ?? 'the framework itself',
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

  /** The names that this context sees, but for symbols. */
  names(): string[] {
    const own = [...this.#own.keys()].filter((name) => typeof name === 'string')
    return [...own, ...(this.parent?.names() ?? [])]
  }

  /** The decorations of this context alone, in the order they were added. */
  get own(): Iterable<Decoration> {
    return this.#own.values()
  }

  get isEmpty(): boolean {
    return this.#own.size === 0
  }
}

/**
 * Sets a decoration on an object: accessors become properties with `get` and `set`, everything else a value.
 */
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
 * Checks the dependencies that a decorator names.
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
 * Reads a decorator, bound to its object when it is a function.
 *
 * @throws `CLO_ERR_DEC_UNDECLARED`
 */
export function readDecorator(target: object, name: PropertyKey, kind: DecoratorKind): unknown {
  assertDeclared(target, name, kind)
  const value: unknown = Reflect.get(target, name)
  return isFunction(value) ? value.bind(target) : value
}

/**
 * Assigns a decorator that was declared.
 *
 * @throws `CLO_ERR_DEC_UNDECLARED`
 */
export function writeDecorator(target: object, name: PropertyKey, value: unknown, kind: DecoratorKind): void {
  assertDeclared(target, name, kind)
  Reflect.set(target, name, value)
}
