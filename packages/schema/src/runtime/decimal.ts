/**
 * Text of fractions. V8 needs some 70 ns to convert a double to text. Prices, ratings and percentages have at most
 * two decimals, and two integers and a table give the same text.
 *
 * The text is the same because the language prescribes the shortest decimal that reads back as the number, and a
 * decimal of at most 15 digits that reads back is that one.
 */
const FRACTIONS: readonly string[] = Array.from({ length: 100 }, (_, hundredths) =>
  String(hundredths / 100).slice(1),
)
/** The hundredths of numbers up to this one are small integers in V8. */
const LIMIT = 10_000_000

/** Returns the text of a finite number, as `String` does. */
export function numberText(value: number): string {
  if (value >= 0 && value < LIMIT) {
    const hundredths = Math.round(value * 100)
    if (hundredths / 100 === value) {
      const whole = Math.floor(hundredths / 100)
      return `${whole}${FRACTIONS[hundredths - whole * 100]}`
    }
  }
  return `${value}`
}
