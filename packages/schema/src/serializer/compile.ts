/** The entry: read the schema, choose a back end, compile, guard. */
import type { SchemaLocation } from '../document/location.ts'
import { compile } from '../codegen/compile.ts'
import { UnitWriter, type SharedFunctions } from './emit/compile.ts'
import { SerializerBuildError } from './build-error.ts'
import { publicError } from '../runtime/errors.ts'
import type { Node, Rounding, SharedDefinitions } from './ir.ts'
import { Parser } from './read/parse.ts'
import type { SerializationMode } from '../options.ts'
import type { RefScope } from './read/source.ts'
import { isPrototypePolluted } from '../runtime/containers.ts'
import { NotProjectable } from '../runtime/projection.ts'
import { TextSampler, selectBackEnd } from './select.ts'
import { FAST_NATIVE_V8, v8Major } from '../runtime/v8.ts'

/** A compiled serializer. */
export type Serializer = (payload: unknown) => string

/** Options of Fastify 4.x that change the output. */
export interface SerializerOptions {
  /**
   * How fractions become integers in compat mode.
   * @default 'trunc'
   */
  readonly rounding?: Rounding
  /**
   * From this length on, {@link SerializerOptions.largeArrayMechanism} applies.
   * @default 20_000
   */
  readonly largeArraySize?: number | string | bigint
  /**
   * `'json-stringify'` writes large arrays natively, without their schema.
   * @default 'default'
   */
  readonly largeArrayMechanism?: 'default' | 'json-stringify'
}

/** The definitions and functions that serializers with the same mode and options share. */
export interface Shared {
  readonly definitions: SharedDefinitions
  readonly functions: SharedFunctions
}

/** The argument of {@link compileSerializer}. */
export interface SerializerInput {
  /** The location of the schema, from which its references are resolved. */
  readonly location: SchemaLocation
  /** Resolves references. */
  readonly scope: RefScope
  /** `compat` converts as Fastify 4.x does, `strict` throws on each lossy conversion. */
  readonly mode: SerializationMode
  readonly options?: SerializerOptions
  /** The parts that serializers with the same mode and options share; by default none. */
  readonly shared?: Shared
  /**
   * `'auto'` selects it by engine version and shape.
   * @default 'auto'
   */
  readonly backEnd?: 'auto' | 'concat' | 'project'
}

const ROUNDINGS: readonly string[] = ['trunc', 'floor', 'ceil', 'round']
const DEFAULT_LARGE_ARRAY_SIZE = 20_000

/** Compiles a schema to a function from value to JSON text. */
export function compileSerializer(input: SerializerInput): Serializer {
  const { scope, options = {} } = input
  const reader = new Parser(scope, {
    mode: input.mode,
    rounding: roundingOf(options),
    nativeArrayFrom: nativeArrayFrom(options),
    shared: input.shared?.definitions,
  })
  const root = reader.read([input.location])
  const writer = new UnitWriter(input.shared?.functions ?? new WeakMap())
  const v8 = v8Major()
  const chosen = input.backEnd ?? 'auto'
  const backEnd = chosen === 'auto' ? selectBackEnd(root, v8) : chosen
  const fast =
    backEnd === 'concat'
      ? compile<Serializer>(writer.concat(root, { ownReads: false })).value
      : projecting(root, writer, v8, chosen === 'auto')
  let guarded: Serializer | undefined
  return (payload) => {
    try {
      if (!isPrototypePolluted()) return fast(payload)
      guarded ??= compile<Serializer>(writer.concat(root, { ownReads: true })).value
      return guarded(payload)
    } catch (error) {
      throw publicError(error)
    }
  }
}

/**
 * The projecting back end, with the other one as a replacement: after a number that no JavaScript number can hold, or
 * after outputs that are mostly strings that it writes slowly.
 */
function projecting(root: Node, writer: UnitWriter, v8: number, samples: boolean): Serializer {
  const project = compile<Serializer>(writer.project(root, v8 >= FAST_NATIVE_V8)).value
  const sampler = samples ? new TextSampler() : undefined
  let concat: Serializer | undefined
  const change = (): Serializer =>
    (concat ??= compile<Serializer>(writer.concat(root, { ownReads: false })).value)
  return (payload) => {
    if (concat !== undefined) return concat(payload)
    try {
      const text = project(payload)
      if (sampler?.isOpen === true && sampler.add(text)) change()
      return text
    } catch (error) {
      if (error instanceof NotProjectable) return change()(payload)
      throw error
    }
  }
}

function roundingOf({ rounding = 'trunc' }: SerializerOptions): Rounding {
  if (ROUNDINGS.includes(rounding)) return rounding
  throw new SerializerBuildError(`unsupported integer rounding method ${String(rounding)}`, '')
}

function nativeArrayFrom(options: SerializerOptions): number | undefined {
  const { largeArraySize = DEFAULT_LARGE_ARRAY_SIZE, largeArrayMechanism = 'default' } = options
  if (largeArrayMechanism !== 'default' && largeArrayMechanism !== 'json-stringify') {
    throw new SerializerBuildError(`unsupported large array mechanism ${String(largeArrayMechanism)}`, '')
  }
  const size =
    typeof largeArraySize === 'string' ? Number.parseInt(largeArraySize, 10) : Number(largeArraySize)
  if (!Number.isInteger(size)) {
    throw new SerializerBuildError(
      `unsupported large array size: an integer is expected, not ${String(largeArraySize)}`,
      '',
    )
  }
  return largeArrayMechanism === 'json-stringify' ? size : undefined
}
