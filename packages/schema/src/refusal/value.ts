import { isObject } from '../guards.ts'
import { pointerToken } from '../document/pointer.ts'
import type { Evaluated } from './evaluated.ts'

/** An object or array that holds a value. */
export type Container = Record<string, unknown>

/**
 * A value while schemas are applied to it, as a variable: a coercion puts another value into it and into its container.
 * Every schema that Ajv would compile into the same function shares the variable.
 */
export class Value {
  data: unknown
  /** The name of a property, which is never coerced. */
  readonly isName: boolean
  /** Where schemas note what of it they look at; undefined where no keyword asks. */
  evaluated: Evaluated | undefined = undefined
  readonly #container: Container | undefined
  readonly #key: string | number
  /** The value around it; undefined at the root. */
  readonly #outer: Value | undefined
  #pointer: string | undefined

  constructor(
    data: unknown,
    container: Container | undefined,
    key: string | number,
    outer?: Value,
    isName: boolean = false,
  ) {
    this.data = data
    this.#container = container
    this.#key = key
    this.#outer = outer
    this.isName = isName
  }

  /** The data as an object or array; an empty object in place of a scalar. */
  get object(): Container {
    return isObject(this.data) ? this.data : {}
  }

  /** The value of a property or an item. */
  entry(key: string | number): Value {
    const container = this.object
    return new Value(container[key], container, key, this)
  }

  /** The name of a property of this value. Its errors have the pointer of the object. */
  name(key: string): Value {
    return new Value(key, undefined, this.#key, this.#outer, true)
  }

  /** A variable of its own for the same value. */
  copy(): Value {
    const copy = new Value(this.data, this.#container, this.#key, this.#outer, this.isName)
    copy.evaluated = this.evaluated
    return copy
  }

  /** Puts another value in its place. */
  replace(data: unknown): void {
    this.data = data
    if (this.#container !== undefined) this.#container[this.#key] = data
  }

  /** The JSON pointer of the value. Those of the values around it are kept: they may hold many errors. */
  get pointer(): string {
    const open: Value[] = []
    let outer = this.#outer
    while (outer !== undefined && outer.#pointer === undefined) {
      open.push(outer)
      outer = outer.#outer
    }
    let pointer = outer === undefined ? '' : (outer.#pointer ?? '')
    for (const value of open.toReversed()) {
      pointer = value.#extend(pointer)
      value.#pointer = pointer
    }
    return this.#extend(pointer)
  }

  /** @param pointer - that of the value around */
  #extend(pointer: string): string {
    return this.#outer === undefined ? '' : `${pointer}/${pointerToken(this.#key)}`
  }
}
