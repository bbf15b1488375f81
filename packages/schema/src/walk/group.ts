import type { ValueGroup } from '../document/vocabulary.ts'
import { isSchemaObject } from '../guards.ts'
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
  },
  string: { group: 'string', holds: (data): data is string => typeof data === 'string' },
  array: { group: 'array', holds: (data): data is ListData => Array.isArray(data) },
  object: { group: 'object', holds: isSchemaObject },
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

  constructor(parts: readonly Part<Data>[], seesEdits: boolean) {
    const [first, second, ...others] = parts
    this.#first = first
    this.#second = second
    this.#others = others
    this.#seesEdits = seesEdits
    this.#filler = parts.find(({ fill }) => fill !== undefined)
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

/** The keywords about one kind of values, whatever the kind is. */
export interface Group {
  readonly kind: ValueGroup
  readonly parts: readonly Omit<Part, 'fits' | 'apply' | 'fill' | 'lacks'>[]
  /** Looks at a value; those of other kinds fit. */
  fits(data: unknown, look: Look): Verdict
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

  /**
   * @param type - reports values of other kinds, where the type of the schema is left to the group
   * @param finite - infinities are no numbers
   */
  constructor(kind: Kind<Data>, parts: readonly Part<Data>[], type: TypePart | undefined, finite: boolean) {
    this.parts = parts
    this.#kind = kind
    this.#type = type
    this.#finite = finite
    const looks = parts.some(({ isFused }) => isFused === true)
      ? parts.filter((part) => part.isFused !== true)
      : parts
    const seesEdits = looks.some((part) => part.seesEdits === true)
    const only = looks.length === 1 && !seesEdits ? looks[0] : undefined
    this.held = only ?? new Sequence(looks, seesEdits)
  }

  get kind(): ValueGroup {
    return this.#kind.group
  }

  fits(data: unknown, look: Look): Verdict {
    if (this.#kind.holds(data, this.#finite)) return this.held.fits(data, look, undefined, '')
    // Ajv has its own rules for infinities.
    return typeof data === 'number' && this.kind === 'number' ? ASK : YES
  }

  apply(value: Value, mode: Mode, frame: Frame): boolean {
    const { data } = value
    if (!this.#kind.holds(data, this.#finite)) return this.#type?.report(value, mode, frame) !== FAILED
    if (!mode.isTrial) for (const part of this.parts) part.fill?.(data)
    let fits = true
    for (const part of this.parts) {
      const outcome = part.apply(data, value, mode, frame)
      if (outcome === FAILED) fits = false
      if (outcome !== PASSED && !mode.isThorough) break
    }
    return fits
  }
}
