import { setProperty } from '../runtime/replay.ts'
import { pointerToken } from '../document/pointer.ts'
import { isObject } from '../guards.ts'
import type { Evaluated } from './evaluated.ts'

/** An object or array that holds a value. */
export type Container = Record<string, unknown>

/**
 * A value while schemas are applied to it, as a variable: a coercion assigns another value to it and in its container.
 * Every schema that Ajv would compile into the same function shares the variable. The values of one depth reuse one
 * object.
 */
export class Value {
  data: unknown = undefined
  /** The name of a property, which is never coerced. */
  readonly isName: boolean
  /** The notes of what schemas evaluate of it; undefined if no keyword needs them. */
  evaluated: Evaluated | undefined = undefined
  readonly #outer: Value | undefined
  #container: Container | undefined = undefined
  #key: string | number = ''
  #pointer: string | undefined = undefined
  #inner: Value | undefined = undefined
  #copy: Value | undefined = undefined

  /** @param outer - the value around it; undefined at the root */
  constructor(outer?: Value, isName: boolean = false) {
    this.#outer = outer
    this.isName = isName
  }

  /** Puts the value of a container into the variable. */
  set(container: Container | undefined, key: string | number, data: unknown): this {
    this.data = data
    this.evaluated = undefined
    this.#container = container
    this.#key = key
    this.#pointer = undefined
    return this
  }

  /** The data as an object or array; an empty object in place of a scalar. */
  get object(): Container {
    return isObject(this.data) ? this.data : {}
  }

  /** The value of a property or an item, valid until the next call. */
  entry(key: string | number): Value {
    const container = this.object
    return (this.#inner ??= new Value(this)).set(container, key, container[key])
  }

  /** The name of a property of this value. Its errors have the pointer of the object. */
  name(key: string): Value {
    return new Value(this.#outer, true).set(undefined, this.#key, key)
  }

  /** A separate variable for the same value, valid until the next call. */
  copy(): Value {
    return this.#copyTo((this.#copy ??= new Value(this.#outer, this.isName)))
  }

  /** A separate variable that stays valid, regardless of the values around it. */
  kept(): Value {
    const kept = this.#copyTo(new Value(this.#outer, this.isName))
    kept.#pointer = this.pointer
    return kept
  }

  #copyTo(copy: Value): Value {
    copy.set(this.#container, this.#key, this.data)
    copy.evaluated = this.evaluated
    return copy
  }

  /** Replaces the value. */
  replace(data: unknown): void {
    this.data = data
    if (this.#container !== undefined) setProperty(this.#container, this.#key, data)
  }

  /** Drops the data, and that of the values in it. */
  clear(): void {
    this.#forget()
    for (let value = this.#inner; value !== undefined; value = value.#inner) value.#forget()
  }

  #forget(): void {
    this.set(undefined, '', undefined)
    this.#copy = undefined
  }

  /** The JSON pointer of the value. Those of the values around it are cached, because they may have many errors. */
  get pointer(): string {
    const outer = this.#outer
    if (this.#pointer !== undefined) return this.#pointer
    if (outer === undefined) return (this.#pointer = '')
    if (outer.#pointer === undefined) outer.#keepPointer()
    return (this.#pointer = `${outer.#pointer}/${pointerToken(this.#key)}`)
  }

  /** Not recursive, because values may be nested thousands of levels deep. */
  #keepPointer(): void {
    const open: Value[] = []
    for (let value = this.#outer; value !== undefined && value.#pointer === undefined; value = value.#outer) {
      open.push(value)
    }
    for (let value = open.pop(); value !== undefined; value = open.pop()) value.#pointer = value.pointer
    this.#pointer = this.pointer
  }
}
