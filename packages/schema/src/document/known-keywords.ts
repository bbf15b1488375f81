import type { Dialect } from './dialect.ts'
import { keywordsOf } from './vocabulary.ts'

/** Keywords of the baseline, and two that Ajv reads without checking a value. */
const KNOWN: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  'draft-07': knownIn('draft-07'),
  '2020-12': knownIn('2020-12'),
}

function knownIn(dialect: Dialect): Set<string> {
  return new Set([...keywordsOf(dialect).map(({ name }) => name), '$vocabulary', '$async'])
}

/** Whether the baseline has a keyword. */
export function isKnownKeyword(keyword: string, dialect: Dialect): boolean {
  return KNOWN[dialect].has(keyword)
}

/** All keywords of the baseline. */
export function knownKeywords(dialect: Dialect): Iterable<string> {
  return KNOWN[dialect]
}

/** The formats of `ajv-formats`, listed here so that a check of a schema loads no module. */
const FORMATS: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date-time',
  'iso-time',
  'iso-date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
  'byte',
  'int32',
  'int64',
  'float',
  'double',
  'password',
  'binary',
])

/** Whether the baseline has a format. */
export function isKnownFormat(format: string): boolean {
  return FORMATS.has(format)
}

/** All formats of the baseline. */
export function knownFormats(): Iterable<string> {
  return FORMATS
}
