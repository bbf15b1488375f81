/**
 * Text of fractions. The engine's own conversion of a double costs some 70 ns; prices, ratings and
 * percentages have at most two decimals, and for them two integers and a table say the same.
 *
 * Why it is the same text: a decimal of at most 15 digits that reads back as the number is the shortest one
 * that does, and that is what the language prescribes.
 */
const FRACTIONS: readonly string[] = Array.from({ length: 100 }, (_, hundredths) =>
  String(hundredths / 100).slice(1),
)
/** Hundredths of numbers up to this one are small integers for the engine. */
const LIMIT = 10_000_000

/** Text of a finite number, exactly as `String` makes it. */
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
