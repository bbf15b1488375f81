import { code, nothing } from '../codegen/code.ts'
import { TYPE_TESTS, type TestedType } from '../document/json-types.ts'
import { REFUSED, type Coercer, type Coercion } from '../runtime/coerce.ts'
import { anyDate } from '../runtime/json-view.ts'
import { recordEdit, typeCode, type Block, type Target } from './code.ts'
import { PASSED, type FAILED, type Frame, type Mode, type Outcome, type Rule } from './walk.ts'
import { ASK, EDIT, NO, OBSERVE, UNION, YES, type Use, type Verdict } from './look.ts'
import { reportedTypes, type SchemaNode } from './node.ts'
import { KeywordPart, type Behaviour, type Part } from './part.ts'
import type { Value } from './value.ts'

/** Whether a value is of a type. */
type Test = (data: unknown) => boolean

interface Params {
  readonly type: unknown
  /** the value is an integer that no number represents exactly */
  readonly exact?: false
}

/** The tests that accept infinities. Ajv treats an infinity as an integer. */
const WITH_INFINITIES: Partial<Readonly<Record<TestedType, Test>>> = {
  number: (data) => typeof data === 'number',
  integer: (data) => Number.isInteger(data) || data === Infinity || data === -Infinity,
}

/** Returns the test of a list of types. Infinities are numbers only if the options allow it. */
export function testOf(types: readonly TestedType[], finiteNumbers: boolean): Test {
  const [only] = types
  if (only !== undefined && types.length === 1 && finiteNumbers) return TYPE_TESTS[only]
  const tests = types.map((type) => (finiteNumbers ? undefined : WITH_INFINITIES[type]) ?? TYPE_TESTS[type])
  const [first, second] = tests
  if (first === undefined) return () => true
  if (second === undefined) return first
  if (tests.length === 2) return (data) => first(data) || second(data)
  return (data) => tests.some((test) => test(data))
}

/** The keyword `type` with `nullable`, and the coercion of values of another type. */
export class TypesPart implements Rule<Params> {
  readonly keyword = 'type'
  readonly node: SchemaNode
  readonly types: readonly TestedType[]
  /** The type, if there is only one. */
  readonly only: TestedType | undefined
  /** Whether a value has one of them. */
  readonly holds: Test
  readonly #coercion: Coercion | undefined
  /** Ajv continues with the only item of an array after it has looked at it. */
  readonly #unwraps: boolean
  /** Ajv still applies the schemas beside it, and they may edit the value. */
  readonly #isBesideEdits: boolean
  /** A date is a string. */
  readonly #hasDates: boolean

  /** @param isInPlace - whether schemas beside it are applied to the value itself */
  constructor(node: SchemaNode, types: readonly TestedType[], isInPlace: boolean) {
    this.node = node
    const { settings, coercers, mayEdit } = node.context
    this.types = types
    this.only = types.length === 1 ? types[0] : undefined
    const holds = testOf(types, settings.finiteNumbers)
    this.#hasDates = node.context.json !== undefined && types.includes('string')
    this.holds = this.#hasDates ? (data) => data === anyDate || holds(data) : holds
    this.#coercion = coercers.get(types)
    this.#unwraps = settings.coercion === 'array'
    this.#isBesideEdits = isInPlace && mayEdit
  }

  message({ type, exact }: Params): string {
    return `must be ${String(type)}${exact === false ? INEXACT : ''}`
  }

  /** Reports a value of a wrong type. */
  report(value: Value, mode: Mode, frame: Frame): typeof FAILED {
    const type = reportedTypes(this.node.schema)
    const { data } = value
    const isRead = typeof data !== 'string' || this.isCoercing
    const isInexact = isRead && this.types.includes('safeInteger') && isNumeric(data)
    return frame.fail(this, isInexact ? { type, exact: false } : { type }, value, mode)
  }

  /**
   * The coercer of looks for values of other types, which leaves infinities to a walk. Undefined if no value can be
   * coerced.
   */
  get coerce(): Coercer | undefined {
    return this.#coercion?.coerceFinite
  }

  get isCoercing(): boolean {
    return this.#coercion !== undefined
  }

  /** The verdict of a look on a value of another type, which it may not edit. */
  mismatch(data: unknown, use: Use): Verdict {
    if (use === OBSERVE) return this.isCoercing ? ASK : NO
    if (this.#isBesideEdits || isInfinite(data)) return ASK
    if (this.#coercion === undefined) return NO
    return this.#coercion.coerce(data) !== REFUSED || this.#isUnwrapped(data) ? ASK : NO
  }

  #isUnwrapped(data: unknown): data is readonly [unknown] {
    return this.#unwraps && Array.isArray(data) && data.length === 1
  }

  /** Checks the type of a value, and coerces it if it has another. */
  apply(value: Value, mode: Mode, frame: Frame): Outcome {
    const { data } = value
    if (this.holds(data)) return PASSED
    if (this.#coercion === undefined || value.isName) return this.report(value, mode, frame)
    const coerced = this.#coercion.coerce(data)
    if (coerced !== REFUSED) {
      value.replace(coerced)
      return PASSED
    }
    if (this.#isUnwrapped(data)) value.data = data[0]
    return this.report(value, mode, frame)
  }

  /** Writes the test of the type; true when it may replace the value. */
  emit(target: Target, block: Block): boolean {
    const { value } = target
    const { writer, reject, defer, use } = block
    const { coercion: mode, finiteNumbers, exactIntegers } = this.node.context.settings
    const date = this.#hasDates ? code`${value} === ${writer.use('anyDate')} || ` : nothing
    const wrong = code`!(${date}${typeCode(this.types, value)})`
    const coercion = this.#coercion
    if (use === UNION && !finiteNumbers) {
      writer.line(code`if (typeof ${value} === 'number' && !isFinite(${value})) ${defer}`)
    }
    const otherwise = use === UNION && this.#isBesideEdits ? defer : reject
    if (coercion === undefined || use === OBSERVE) {
      writer.line(code`if (${wrong}) ${coercion === undefined ? otherwise : defer}`)
      return false
    }
    const [name, made] =
      use === EDIT
        ? (['createFiniteCoercer', coercion.coerceFinite] as const)
        : (['createCoercer', coercion.coerce] as const)
    const coerce = writer.bind(
      { kind: 'call', name, args: [this.types, mode, exactIntegers !== false], value: made },
      'coerce',
    )
    const refused = writer.use('REFUSED')
    if (use === EDIT) {
      const change = recordEdit(block, target)
      writer.line(
        code`if (${wrong}) { if ((${value} = ${coerce}(${value})) === ${refused}) ${reject}; ${change} }`,
      )
      return true
    }
    const unwraps = this.#unwraps ? code` || (Array.isArray(${value}) && ${value}.length === 1)` : nothing
    writer.line(
      code`if (${wrong}) { if (${coerce}(${value}) !== ${refused}${unwraps}) ${defer}; ${otherwise} }`,
    )
    return false
  }
}

/** The end of the message about an integer that another one may have been sent for. */
const INEXACT = ' that is exactly representable: from -9007199254740991 to 9007199254740991, and not -0'

/** Whether a value is an integer, or the text of a number that is read as one. */
function isNumeric(data: unknown): boolean {
  return (
    Number.isInteger(data) ||
    (typeof data === 'string' && data.trim() !== '' && Number.isInteger(Number(data)))
  )
}

function isInfinite(data: unknown): boolean {
  return typeof data === 'number' && !Number.isFinite(data)
}

/** Refuses an infinity that coercion has made of a text; Ajv gets this check as a keyword, after all general ones. */
const FINITE: Behaviour<unknown, TypesPart, object> = {
  names: ['type'],
  // Looks leave infinities to walks if the type is tested.
  fits: () => YES,
  apply: ({ read }, data, value, mode, frame) =>
    isInfinite(data) ? read.report(value, mode, frame) : PASSED,
  emit: () => {},
}

/** The check after the keywords for any value; undefined if the types need none. */
export function finitePartOf(type: TypesPart): Part | undefined {
  const { finiteNumbers, coercion } = type.node.context.settings
  const isNumeric = type.types.includes('number') || type.types.includes('integer')
  return coercion === false || !finiteNumbers || !isNumeric
    ? undefined
    : new KeywordPart(FINITE, type.node, type)
}
