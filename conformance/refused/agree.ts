// Whether a handler sees what was sent, after what its schema asks for.
import { Decimal, Members, type Exact } from './exact-reader.ts'

/** The schemas that are drawn. */
export interface Schema {
  readonly type?: 'integer' | 'number' | 'string' | 'boolean' | 'array' | 'object'
  readonly format?: 'int64'
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
}

/** Returns what differs; `null` if nothing does. */
export function difference(seen: unknown, sent: Exact, schema: Schema, at: string = ''): string | null {
  if (sent instanceof Decimal) return differenceOfNumbers(seen, sent, schema, at)
  if (sent instanceof Members) return differenceOfObjects(seen, sent, schema, at)
  if (Array.isArray(sent)) {
    if (!Array.isArray(seen) || seen.length !== sent.length) return `${at} is another list`
    const found = sent.map((one, index) => difference(seen[index], one, schema.items ?? {}, `${at}/${index}`))
    return found.find((one) => one !== null) ?? null
  }
  if (typeof sent === 'string' && /\p{Surrogate}/u.test(sent)) return `${at} has a lone surrogate`
  if (schema.type !== undefined && typeof sent !== schema.type) return `${at} is no ${schema.type}`
  return Object.is(seen, sent) ? null : `${at} is ${String(seen)} for ${String(sent)}`
}

function differenceOfNumbers(
  seen: unknown,
  sent: Decimal,
  { type, format }: Schema,
  at: string,
): string | null {
  const text = `${sent.coefficient}e${sent.exponent}`
  if (format === 'int64') return differenceOfInt64(seen, sent, `${at} is ${String(seen)} for ${text}`)
  if (type !== undefined && type !== 'integer' && type !== 'number') return `${at} is no ${type}`
  if (typeof seen !== 'number' || !Number.isFinite(seen)) return `${at} is ${String(seen)} for ${text}`
  const [above, below] = sent.fraction
  if (type !== 'integer') return isNearest(seen, above, below) ? null : `${at} is ${seen} for ${text}`
  const isSame = Number.isInteger(seen) && !Object.is(seen, -0) && BigInt(seen) * below === above
  return isSame ? null : `${at} is ${seen} for ${text}`
}

/** A 64-bit integer is seen as a bigint. */
function differenceOfInt64(
  seen: unknown,
  { fraction: [above, below] }: Decimal,
  problem: string,
): string | null {
  if (typeof seen !== 'bigint' || BigInt.asIntN(64, seen) !== seen) return problem
  return seen * below === above ? null : problem
}

function differenceOfObjects(seen: unknown, sent: Members, schema: Schema, at: string): string | null {
  const { type = 'object', properties = {}, additionalProperties = true } = schema
  if (type !== 'object' || typeof seen !== 'object' || seen === null) return `${at} is no ${type}`
  const names = sent.list.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return `${at}/${twice} was sent twice`
  const kept = sent.list.filter(([name]) => additionalProperties || Object.hasOwn(properties, name))
  const added = Object.keys(seen).find((name) => !kept.some(([one]) => one === name))
  if (added !== undefined) return `${at}/${added} was not sent`
  for (const [name, value] of kept) {
    if (/\p{Surrogate}/u.test(name)) return `${at} has a name with a lone surrogate`
    if (!Object.hasOwn(seen, name)) return `${at}/${name} is not there`
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    const found = difference(Reflect.get(seen, name), value, own ?? {}, `${at}/${name}`)
    if (found !== null) return found
  }
  return null
}

/** Whether no other double is nearer to a fraction. */
function isNearest(number: number, above: bigint, below: bigint): boolean {
  const distance = ([p, q]: readonly [bigint, bigint]): readonly [bigint, bigint] => {
    const difference = above * q - p * below
    return [difference < 0n ? -difference : difference, below * q]
  }
  const [own, ownBelow] = distance(fractionOf(number))
  return [-1, 1].every((step) => {
    const other = neighbour(number, step)
    if (!Number.isFinite(other)) return true
    const [far, farBelow] = distance(fractionOf(other))
    return own * farBelow <= far * ownBelow
  })
}

const view = (): DataView => new DataView(new ArrayBuffer(8))

/** The next double above or below. */
function neighbour(number: number, step: number): number {
  const smallest = 5e-324
  if (number === 0) return step * smallest
  const bits = view()
  bits.setFloat64(0, number)
  bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(number > 0 ? step : -step))
  return bits.getFloat64(0)
}

function fractionOf(number: number): readonly [bigint, bigint] {
  const bits = view()
  bits.setFloat64(0, Math.abs(number))
  const whole = bits.getBigUint64(0)
  const biased = Number(whole >> 52n)
  const mantissa = (whole & ((1n << 52n) - 1n)) | (biased === 0 ? 0n : 1n << 52n)
  const exponent = Math.max(biased, 1) - 1075
  const power = 1n << BigInt(Math.abs(exponent))
  const sign = number < 0 ? -1n : 1n
  return exponent < 0 ? [sign * mantissa, power] : [sign * mantissa * power, 1n]
}
