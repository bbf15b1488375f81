/** With at most this many digits, every decimal text has a number of its own. */
const DIGITS_OF_NUMBERS = 15

const DECIMAL = /^\s*[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?\s*$/i

/**
 * Whether a text that is read as a safe integer is one. `0.99999999999999999999` and `1e-400` are read as integers, and
 * are none.
 */
export function isExactText(text: string): boolean {
  if (text.length <= DIGITS_OF_NUMBERS && !/e/i.test(text)) return true
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? []
  // A decimal is an integer if its digits end before its point has moved behind them.
  const digits = (whole + fraction).replace(/0+$/, '')
  return digits.replace(/^0+/, '') === '' || digits.length <= whole.length + Number(exponent)
}
