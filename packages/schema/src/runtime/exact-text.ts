/** With at most this many digits, every decimal text has a number of its own. */
const DIGITS_OF_NUMBERS = 15

const DECIMAL = /^\s*([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?\s*$/i

/**
 * Whether a text that is read as a safe integer is one. `0.99999999999999999999` and `1e-400` are read as integers, and
 * are none.
 */
export function isExactText(text: string): boolean {
  if (text.length <= DIGITS_OF_NUMBERS && !/e/i.test(text)) return true
  const [, , whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? []
  // A decimal is an integer if its digits end before its point has moved behind them.
  const digits = (whole + fraction).replace(/0+$/, '')
  return digits.replace(/^0+/, '') === '' || digits.length <= whole.length + Number(exponent)
}

/** Above this number of digits, no text is an integer of 64 bits. */
const DIGITS_OF_INT64 = 19

/**
 * Returns the integer that a decimal text stands for, without rounding; `null` if it stands for none, or for one with
 * more digits than 64 bits have.
 */
export function exactInteger(text: string): bigint | null {
  const [match, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? []
  if (match === undefined || whole + fraction === '') return null
  const digits = (whole + fraction).replace(/0+$/, '')
  const significant = digits.replace(/^0+/, '')
  if (significant === '') return 0n
  /** the zeros behind the digits */
  const zeros = whole.length + Number(exponent) - digits.length
  if (zeros < 0 || significant.length + zeros > DIGITS_OF_INT64) return null
  const value = BigInt(significant + '0'.repeat(zeros))
  return sign === '-' ? -value : value
}
