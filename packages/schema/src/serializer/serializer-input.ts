/** The input of a serializer, and its intermediate representation. */
import type { SchemaLocation } from '../document/location.ts'
import type { SerializationMode } from '../options.ts'
import { SerializerBuildError, type RefScope } from './read/source.ts'
import type { Node } from './nodes/node.ts'
import type { SharedDefinitions } from './nodes/reference.ts'
import type { Rounding } from './nodes/scalars.ts'
import { Parser } from './read/parse.ts'

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

/** What {@link readSerializer} is given. */
export interface SerializerInput {
  /** The location of the schema, from which its references are resolved. */
  readonly location: SchemaLocation
  /** Resolves references. */
  readonly scope: RefScope
  /** `compat` converts as Fastify 4.x does, `strict` throws on each lossy conversion. */
  readonly mode: SerializationMode
  readonly options?: SerializerOptions
  /** The parts that serializers with the same mode and options share; by default none. */
  readonly definitions?: SharedDefinitions
}

const ROUNDINGS: readonly string[] = ['trunc', 'floor', 'ceil', 'round']
const DEFAULT_LARGE_ARRAY_SIZE = 20_000

/**
 * Reads a schema.
 * @throws {@link SerializerBuildError} when nothing can be made of it
 */
export function readSerializer({ location, scope, mode, definitions, options = {} }: SerializerInput): Node {
  const parser = new Parser(scope, {
    mode,
    rounding: roundingOf(options),
    nativeArrayFrom: nativeArrayFrom(options),
    shared: definitions,
  })
  return parser.read([location])
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
