import { code, type Code } from '../codegen/code.ts'
import type { ValueGroup } from '../document/vocabulary.ts'
import { isSchemaObject } from '../guards.ts'
import type { Block, Target } from './code.ts'
import type { Frame } from './frame.ts'
import { EDIT, OBSERVE, type Look } from './look.ts'
import type { Mode } from './mode.ts'
import type { ListData, ObjectData, Part, TypePart } from './part.ts'
import type { Value } from './value.ts'
import { ASK, FAILED, PASSED, YES, type Verdict } from './verdict.ts'

/** A kind of values that has keywords of its own. */
export interface Kind<Data> {
  readonly group: ValueGroup
  /** @param finite - infinities are no numbers */
  holds(data: unknown, finite: boolean): data is Data
  /** As an expression, infinities included. */
  readonly code: (value: Code) => Code
}

/** The kinds of values. */
export const KINDS: {
  readonly number: Kind<number>
  readonly string: Kind<string>
  readonly array: Kind<ListData>
  readonly object: Kind<ObjectData>
} = {
  number: {
    group: 'number',
    holds: (data, finite): data is number => typeof data === 'number' && (!finite || Number.isFinite(data)),
    code: (value) => code`typeof ${value} === 'number'`,
  },
  string: {
    group: 'string',
    holds: (data): data is string => typeof data === 'string',
    code: (value) => code`typeof ${value} === 'string'`,
  },
  array: {
    group: 'array',
    holds: (data): data is ListData => Array.isArray(data),
    code: (value) => code`Array.isArray(${value})`,
  },
  object: {
    group: 'object',
    holds: isSchemaObject,
    code: (value) => code`typeof ${value} === 'object' && ${value} !== null && !Array.isArray(${value})`,
  },
}

/** Looks at values of one kind. */
export type Held<Data> = Pick<Part<Data>, 'fits'>

/** Several keywords about one kind of values. */
class Sequence<Data> implements Held<Data> {
  readonly #first: Part<Data> | undefined
  readonly #second: Part<Data> | undefined
  readonly #others: readonly Part<Data>[]
  readonly #seesEdits: boolean
  /** The part that fills in defaults. */
  readonly #filler: Part<Data> | undefined

  constructor(parts: readonly Part<Data>[], seesEdits: boolean, filler: Part<Data> | undefined) {
    this.#first = parts[0]
    this.#second = parts[1]
    this.#others = parts.length > 2 ? parts.slice(2) : NONE
    this.#seesEdits = seesEdits
    this.#filler = filler
  }

  fits(data: Data, look: Look): Verdict {
    if (!this.#seesEdits || look.use !== EDIT) return this.#lookAt(data, look)
    look.use = OBSERVE
    const verdict = this.#lookAt(data, look)
    look.use = EDIT
    return verdict
  }

  #lookAt(data: Data, look: Look): Verdict {
    if (this.#filler !== undefined && look.use !== EDIT && this.#filler.lacks?.(data) === true) return ASK
    let verdict = this.#first === undefined ? YES : this.#first.fits(data, look, undefined, '')
    if (verdict === YES && this.#second !== undefined) verdict = this.#second.fits(data, look, undefined, '')
    for (let at = 0; at < this.#others.length && verdict === YES; at++) {
      verdict = this.#others[at]?.fits(data, look, undefined, '') ?? YES
    }
    return verdict
  }
}

const NONE: readonly never[] = []

/** The keywords about one kind of values, whatever the kind is. */
export interface Group {
  readonly kind: ValueGroup
  readonly parts: readonly Omit<Part, 'fits' | 'apply' | 'emit' | 'fill' | 'lacks' | 'emitLacks'>[]
  /** Looks at a value; those of other kinds fit. */
  fits(data: unknown, look: Look): Verdict
  /**
   * Writes the checks.
   * @param type - the types that are tested before
   */
  emit(target: Target, block: Block, type: TypePart | undefined): void
  /** Applies the keywords; values of other kinds fit, unless the type of the schema is left to the group. */
  apply(value: Value, mode: Mode, frame: Frame): boolean
}

/** The keywords of a schema about one kind of values, in Ajv's order. */
export class KindGroup<Data> implements Group {
  readonly parts: readonly Part<Data>[]
  /** Looks at values of the kind. */
  readonly held: Held<Data>
  readonly #kind: Kind<Data>
  readonly #type: TypePart | undefined
  readonly #finite: boolean
  /** The parts that look at values. */
  readonly #looks: readonly Part<Data>[]
  /** They see what edits make of the value. */
  readonly #seesEdits: boolean
  /** The part that fills in defaults. */
  readonly #filler: Part<Data> | undefined

  /**
   * @param type - reports values of other kinds, where the type of the schema is left to the group
   * @param finite - infinities are no numbers
   */
  constructor(kind: Kind<Data>, parts: readonly Part<Data>[], type: TypePart | undefined, finite: boolean) {
    this.parts = parts
    this.#kind = kind
    this.#type = type
    this.#finite = finite
    let looks: Part<Data>[] | undefined
    let seesEdits = false
    let filler: Part<Data> | undefined
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]
      if (part === undefined) continue
      if (part.isFused === true) looks ??= parts.slice(0, at)
      else {
        looks?.push(part)
        if (part.seesEdits === true) seesEdits = true
      }
      if (part.fill !== undefined) filler = part
    }
    this.#looks = looks ?? parts
    this.#seesEdits = seesEdits
    this.#filler = filler
    const [only] = this.#looks
    const isAlone = only !== undefined && this.#looks.length === 1 && !seesEdits
    this.held = isAlone ? only : new Sequence(this.#looks, seesEdits, filler)
  }

  get kind(): ValueGroup {
    return this.#kind.group
  }

  fits(data: unknown, look: Look): Verdict {
    if (this.#kind.holds(data, this.#finite)) return this.held.fits(data, look, undefined, '')
    // Ajv has its own rules for infinities.
    return typeof data === 'number' && this.kind === 'number' ? ASK : YES
  }

  emit(target: Target, outer: Block, type: TypePart | undefined): void {
    const { value } = target
    const { writer, defer } = outer
    const block: Block = this.#seesEdits && outer.use === EDIT ? { ...outer, use: OBSERVE } : outer
    const emitAll = (): void => {
      if (block.use !== EDIT) this.#filler?.emitLacks?.(target, block)
      for (const part of this.#looks) part.emit(target, block)
    }
    if (type?.only === this.kind || (type?.only === 'integer' && this.kind === 'number')) return emitAll()
    writer.block(code`if (${this.#kind.code(value)})`, () => {
      if (this.kind === 'number') writer.line(code`if (!isFinite(${value})) ${defer}`)
      emitAll()
    })
  }

  apply(value: Value, mode: Mode, frame: Frame): boolean {
    const { data } = value
    if (!this.#kind.holds(data, this.#finite)) return this.#type?.report(value, mode, frame) !== FAILED
    if (!mode.isTrial) this.#filler?.fill?.(data)
    let fits = true
    for (const part of this.parts) {
      const outcome = part.apply(data, value, mode, frame)
      if (outcome === FAILED) fits = false
      if (outcome !== PASSED && !mode.isThorough) break
    }
    return fits
  }
}
