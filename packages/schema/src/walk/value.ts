import { setProperty } from '../runtime/replay.ts'
import { pointerToken } from '../document/pointer.ts'
import { isObject } from '../guards.ts'
import type { Evaluated } from './evaluated.ts'

/** An object or array that holds a value. */
export type Container = Record<string, unknown>

/**
 * A value while schemas are applied to it, as a variable: a coercion puts another value into it and into its container.
 * Every schema that Ajv would compile into the same function shares the variable. The values of one depth take turns in
 * one object.
 */
export class Value {
  data: unknown = undefined
  /** The name of a property, which is never coerced. */
  readonly isName: boolean
  /** Where schemas note what of it they look at; undefined where no keyword asks. */
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

  /** The value of a property or an item, until the next one is asked for. */
  entry(key: string | number): Value {
    const container = this.object
    return (this.#inner ??= new Value(this)).set(container, key, container[key])
  }

  /** The name of a property of this value. Its errors have the pointer of the object. */
  name(key: string): Value {
    return new Value(this.#outer, true).set(undefined, this.#key, key)
  }

  /** A variable of its own for the same value, until the next one is asked for. */
  copy(): Value {
    return this.#copyTo((this.#copy ??= new Value(this.#outer, this.isName)))
  }

  /** A variable of its own that stays, whatever becomes of the values around it. */
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

  /** Puts another value in its place. */
  replace(data: unknown): void {
    this.data = data
    if (this.#container !== undefined) setProperty(this.#container, this.#key, data)
  }

  /** Forgets the data, and that of the values in it. */
  clear(): void {
    this.#forget()
    for (let value = this.#inner; value !== undefined; value = value.#inner) value.#forget()
  }

  #forget(): void {
    this.set(undefined, '', undefined)
    this.#copy = undefined
  }

  /** The JSON pointer of the value. Those of the values around it are kept: they may hold many errors. */
  get pointer(): string {
    const outer = this.#outer
    if (this.#pointer !== undefined) return this.#pointer
    if (outer === undefined) return (this.#pointer = '')
    if (outer.#pointer === undefined) outer.#keepPointer()
    return (this.#pointer = `${outer.#pointer}/${pointerToken(this.#key)}`)
  }

  /** Needs no recursion: values may be nested in thousands. */
  #keepPointer(): void {
    const open: Value[] = []
    for (let value = this.#outer; value !== undefined && value.#pointer === undefined; value = value.#outer) {
      open.push(value)
    }
    for (let value = open.pop(); value !== undefined; value = open.pop()) value.#pointer = value.pointer
    this.#pointer = this.pointer
  }
}
