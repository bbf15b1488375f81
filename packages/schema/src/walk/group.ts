import { code } from '../codegen/code.ts'
import type { ValueGroup } from '../document/vocabulary.ts'
import { isSchemaObject } from '../guards.ts'
import { typeCode, type Block, type Target } from './code.ts'
import type { Defaults } from './defaults.ts'
import { FAILED, PASSED, type Frame, type Mode } from './walk.ts'
import { ASK, EDIT, JUDGE, OBSERVE, YES, type Look, type Verdict } from './look.ts'
import type { ListData, ObjectData, Part } from './part.ts'
import type { TypesPart } from './type.ts'
import type { Value } from './value.ts'

/** A kind of values with its own keywords. */
export interface Kind<Data> {
  readonly group: ValueGroup
  /** @param finite - whether infinities are no numbers */
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

/** The keywords for one kind of values. */
export type Group = Pick<KindGroup<unknown>, 'kind' | 'parts' | 'held' | 'look' | 'emit' | 'apply'>

/** The keywords of a schema for one kind of values, in Ajv's order. */
export class KindGroup<Data> implements Held<Data> {
  readonly kind: ValueGroup
  readonly parts: readonly Part<Data>[]
  readonly #holds: Kind<Data>['holds']
  readonly #type: TypesPart | undefined
  readonly #finite: boolean
  /** The parts that look at values. */
  readonly #looks: readonly Part<Data>[]
  /** They depend on edits of the value. */
  readonly #seesEdits: boolean
  readonly #defaults: Defaults | undefined

  /**
   * @param type - reports values of other kinds, if the group checks the type of the schema
   * @param finite - whether infinities are no numbers
   */
  constructor(kind: Kind<Data>, parts: readonly Part<Data>[], type: TypesPart | undefined, finite: boolean) {
    this.kind = kind.group
    this.parts = parts
    this.#holds = kind.holds
    this.#type = type
    this.#finite = finite
    const isFused = (part: Part<Data>): boolean => part.isFused === true
    this.#looks = parts.some(isFused) ? parts.filter((part) => !isFused(part)).slice() : parts
    this.#seesEdits = this.#looks.some((part) => part.seesEdits === true)
    this.#defaults = parts.find(({ defaults }) => defaults !== undefined)?.defaults
  }

  /** Looks at values of the kind: one part, where there is only one and it may note edits. */
  get held(): Held<Data> {
    const [only, ...others] = this.#looks
    return only === undefined || others.length > 0 || this.#seesEdits ? this : only
  }

  /** Looks at a value; accepts values of other kinds. */
  look(data: unknown, look: Look): Verdict {
    if (this.#holds(data, this.#finite)) return this.fits(data, look)
    // Ajv has its own rules for infinities.
    return typeof data === 'number' && this.kind === 'number' ? ASK : YES
  }

  fits(data: Data, look: Look): Verdict {
    const { use } = look
    if (this.#seesEdits && use === EDIT) look.use = OBSERVE
    const verdict = this.#fits(data, look)
    look.use = use
    return verdict
  }

  #fits(data: Data, look: Look): Verdict {
    if (this.#defaults !== undefined && look.use !== EDIT && this.#defaults.lackIn(data)) return ASK
    const looks = this.#looks
    for (let at = 0; at < looks.length; at++) {
      const verdict = looks[at]?.fits(data, look, undefined, '') ?? YES
      if (verdict !== YES) return verdict
    }
    return YES
  }

  /**
   * Writes the checks.
   * @param type - the types that are tested before
   */
  emit(target: Target, outer: Block, type: TypesPart | undefined): void {
    const { value } = target
    const { writer, defer } = outer
    const block: Block = this.#seesEdits && outer.use === EDIT ? { ...outer, use: OBSERVE } : outer
    const emitAll = (): void => {
      if (block.use !== EDIT) this.#defaults?.emitLacks(value, block)
      for (const part of this.#looks) part.emit(target, block)
    }
    // A date counts as a string, to which no keyword for strings applies.
    const isSure = type?.only === this.kind && (outer.use !== JUDGE || this.kind !== 'string')
    const isInteger = type?.only === 'integer' || type?.only === 'safeInteger'
    if (isSure || (isInteger && this.kind === 'number')) return emitAll()
    const isOfKind =
      this.kind === 'number' ? code`typeof ${value} === 'number'` : typeCode([this.kind], value)
    writer.block(code`if (${isOfKind})`, () => {
      if (this.kind === 'number') writer.line(code`if (!isFinite(${value})) ${defer}`)
      emitAll()
    })
  }

  /** Applies the keywords; accepts values of other kinds, unless the group checks the type of the schema. */
  apply(value: Value, mode: Mode, frame: Frame): boolean {
    const { data } = value
    if (!this.#holds(data, this.#finite)) return this.#type?.report(value, mode, frame) !== FAILED
    if (!mode.isTrial) this.#defaults?.fill(data)
    let fits = true
    for (const part of this.parts) {
      const outcome = part.apply(data, value, mode, frame)
      if (outcome === FAILED) fits = false
      if (outcome !== PASSED && !mode.isThorough) break
    }
    return fits
  }
}
