import type { Arbitrary } from 'fast-check'

import { numberOr } from '../guards.ts'
import type { FastCheck } from '../packages.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Longer than columns of 255 characters, to find those. */
const MAX_TEXT_LENGTH = 300

/** Returns numbers that match a schema. */
export function numbersOf(fc: FastCheck, schema: Schema, isInteger: boolean): Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const least = Math.max(numberOr(minimum, -1000), numberOr(exclusiveMinimum, -Infinity))
  const most = Math.min(numberOr(maximum, Math.max(1000, least + 1000)), numberOr(exclusiveMaximum, Infinity))
  const low = Math.min(least, most)
  const factor = numberOr(multipleOf, 0)
  if (factor > 0) return fc.integer(integersIn(low / factor, most / factor)).map((count) => count * factor)
  if (isInteger) return fc.integer(integersIn(low, most))
  return fc.double({ min: low, max: most, noNaN: true }).map((value) => Number(value.toFixed(6)))
}

/** Returns the integers between two numbers; if there is none, the next one above. */
function integersIn(low: number, high: number): { readonly min: number; readonly max: number } {
  const min = Math.ceil(low)
  return { min, max: Math.max(Math.floor(high), min) }
}

/** Returns strings that match a schema. */
export function textsOf(fc: FastCheck, schema: Schema): Arbitrary<string> {
  const { format, pattern, minLength, maxLength } = schema
  const min = numberOr(minLength, 0)
  const max = Math.max(min, Math.min(numberOr(maxLength, MAX_TEXT_LENGTH), min + MAX_TEXT_LENGTH))
  const ofPattern = typeof pattern === 'string' ? textsMatching(fc, pattern) : null
  const made = ofPattern ?? (typeof format === 'string' ? textsOfFormat(fc, format) : null)
  // Without `size`, fast-check draws only short strings.
  return (
    made ??
    fc.oneof(
      fc.string({ minLength: min, maxLength: max }),
      fc.string({ minLength: min, maxLength: max, size: 'max' }),
    )
  )
}

const LOOKAROUND = /\(\?<?[=!](?:[^()\\]|\\.)*\)/g

/**
 * Returns strings for a pattern; `null` for one that fast-check cannot draw from. It draws no lookarounds, so they are left
 * out: of the strings for the rest, some match.
 */
function textsMatching(fc: FastCheck, pattern: string): Arbitrary<string> | null {
  for (const source of [pattern, pattern.replaceAll(LOOKAROUND, '')])
    for (const flags of ['u', '']) {
      try {
        return fc.stringMatching(new RegExp(source, flags))
      } catch {
        // The next one may do.
      }
    }
  return null
}

/** Returns strings of a format; `null` for an unknown format. */
function textsOfFormat(fc: FastCheck, format: string): Arbitrary<string> | null {
  const date = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  const iso = date.map((one) => one.toISOString())
  const word = fc.stringMatching(/^[a-z]{1,8}$/)
  switch (format) {
    case 'date-time':
      return iso
    case 'date':
      return iso.map((text) => text.slice(0, 10))
    case 'time':
      return iso.map((text) => text.slice(11))
    case 'email':
      return word.map((text) => `${text}@example.com`)
    case 'uuid':
      return fc.uuid()
    case 'uri':
    case 'url':
    case 'uri-reference':
      return word.map((text) => `https://example.com/${text}`)
    case 'hostname':
      return word.map((text) => `${text}.example.com`)
    case 'ipv4':
      return fc.ipV4()
    case 'ipv6':
      return fc.ipV6()
    default:
      return null
  }
}
