import { ROUNDINGS } from '../nodes/scalars.ts'
import type { SerializerOptions } from './parse.ts'

/** Reads the serializer settings of Fastify 4.x; ignores settings that do not change the output. */
export function readSerializerOptions(settings: Readonly<Record<string, unknown>> = {}): SerializerOptions {
  const { rounding, largeArraySize, largeArrayMechanism } = settings
  const known = ROUNDINGS.find((name) => name === rounding)
  if (rounding !== undefined && known === undefined) {
    throw new TypeError(
      `serializerOpts.rounding must be one of ${ROUNDINGS.join(', ')}, not ${String(rounding)}`,
    )
  }
  const mechanism =
    largeArrayMechanism === 'json-stringify' || largeArrayMechanism === 'default'
      ? largeArrayMechanism
      : undefined
  return {
    ...(known === undefined ? {} : { rounding: known }),
    ...(isSize(largeArraySize) ? { largeArraySize } : {}),
    ...(mechanism === undefined ? {} : { largeArrayMechanism: mechanism }),
  }
}

function isSize(value: unknown): value is number | string | bigint {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint'
}
