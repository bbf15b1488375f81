// Random documents and texts, and schemas for them: mostly what clients send, and each way to be inexact.
import type { Random } from '../../packages/schema/test/validator/random.ts'
import type { Schema } from './agree.ts'

const NAMES = ['id', 'name', 'a', 'b', 'é', 'a/b', '']
const INTEGERS = ['0', '7', '-12', '9007199254740991', '-9007199254740991', '1e3', '5.0', '120e-1']
const ODD_INTEGERS = [
  '9007199254740992',
  '9007199254740993',
  '-12345678901234567890',
  '-0',
  '-0.0',
  '1e400',
  '1e-400',
  '0.99999999999999999999',
  '9007199254740991.3',
  '1e22',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '123456789012345e3',
]
const NUMBERS = ['0.1', '-2.5e-3', '1e300', '3.141592653589793', '123456789012345678', '5e-324', '0e0']
const TEXTS = ['', 'x', 'é', '😀', 'a"b', 'a\\b', '12', ': {"', '\u0000', 'ab:cd', '\uFFFD']
const BROKEN = ['\xe9', '\xc3', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\xc0\xaf', '\xff']

/** The text of a number for a schema. */
export function drawNumber(random: Random, type: Schema['type']): string {
  if (random.chance(0.08)) return random.pick(ODD_INTEGERS)
  if (random.chance(0.1)) return drawDecimal(random)
  return random.pick(type === 'integer' ? INTEGERS : [...INTEGERS, ...NUMBERS])
}

function drawDecimal(random: Random): string {
  const digits = (): string =>
    Array.from({ length: 1 + random.below(22) }, () => String(random.below(10))).join('')
  const whole = digits().replace(/^0+(?=\d)/, '')
  const fraction = random.chance(0.5) ? `.${digits()}` : ''
  const exponent = random.chance(0.3) ? `e${random.below(60) - 30}` : ''
  return (random.chance(0.2) ? '-' : '') + whole + fraction + exponent
}

export function drawSchema(random: Random, depth: number): Schema {
  const type = random.pick([
    'integer',
    'integer',
    'number',
    'string',
    'boolean',
    ...(depth > 0 ? (['array', 'object'] as const) : []),
  ] as const)
  if (random.chance(0.1)) return {}
  if (type === 'array') return { type, items: drawSchema(random, depth - 1) }
  return type === 'object' ? drawObject(random, depth - 1) : { type }
}

export function drawObject(random: Random, depth: number): Schema {
  const names = NAMES.filter(() => random.chance(0.5))
  const properties = Object.fromEntries(names.map((name) => [name, drawSchema(random, depth)]))
  return { type: 'object', properties, ...(random.chance(0.4) && { additionalProperties: false }) }
}

/** Returns a schema with some of its integers as integers of 64 bits. */
export function withInt64(random: Random, schema: Schema): Schema {
  const { type, items, properties } = schema
  if (type === 'integer') return random.chance(0.7) ? { type, format: 'int64' } : schema
  const inner = Object.entries(properties ?? {}).map(([name, one]) => [name, withInt64(random, one)])
  return {
    ...schema,
    ...(items && { items: withInt64(random, items) }),
    ...(properties && { properties: Object.fromEntries(inner) }),
  }
}

/** JSON for a schema, as bytes in a string of Latin-1. */
export function drawJson(random: Random, schema: Schema, depth: number = 3): string {
  const type = schema.type ?? random.pick(['integer', 'number', 'string', 'boolean'] as const)
  const blank = random.chance(0.05) ? random.pick([' ', '\n', '\t']) : ''
  switch (type) {
    case 'integer':
    case 'number':
      return blank + drawNumber(random, type)
    case 'string':
      return blank + drawString(random)
    case 'boolean':
      return blank + random.pick(['true', 'false'])
    case 'array': {
      const items = Array.from({ length: random.below(4) }, () =>
        drawJson(random, schema.items ?? {}, depth - 1),
      )
      return `[${items.join(',')}]${blank}`
    }
    default:
      return `{${drawMembers(random, schema, depth).join(',')}}${blank}`
  }
}

function drawMembers(random: Random, { properties = {} }: Schema, depth: number): string[] {
  const member = (name: string, schema: Schema): string => {
    const space = random.chance(0.1) ? ' ' : ''
    return `${drawString(random, name)}${space}:${space}${drawJson(random, schema, depth - 1)}`
  }
  const members = Object.entries(properties).flatMap(([name, schema]) =>
    random.chance(0.8) ? [member(name, schema)] : [],
  )
  if (random.chance(0.2)) members.push(member(random.pick(['extra', 'z', ...NAMES]), {}))
  const [twice] = Object.keys(properties)
  if (twice !== undefined && random.chance(0.04)) members.push(member(twice, properties[twice] ?? {}))
  return members
}

function drawString(random: Random, text: string = random.pick(TEXTS)): string {
  if (random.chance(0.01)) return `"${random.pick(['\\ud800', '\\uDFFFx', '\\ude00\\ud83d'])}"`
  if (random.chance(0.01)) return `"${random.pick(BROKEN)}"`
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  const escaped = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  return random.chance(0.2) ? `"${escaped}"` : Buffer.from(JSON.stringify(text)).toString('latin1')
}

/** A text for a schema, as bytes in a string of Latin-1. */
export function drawText(random: Random, { type }: Schema): string {
  if (random.chance(0.04)) return random.pick(BROKEN)
  if (type === 'string')
    return Buffer.from(random.pick(['x', 'é', '😀', '12', 'a b', '%', 'a&b=c'])).toString('latin1')
  return drawNumber(random, type)
}

/** Escapes the bytes of a text for a query. */
export function escapeBytes(random: Random, bytes: string): string {
  if (random.chance(0.01)) return '%z9'
  return bytes
    .split('')
    .map((one) =>
      /[\w.-]/.test(one) && !random.chance(0.05)
        ? one
        : `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .join('')
}
