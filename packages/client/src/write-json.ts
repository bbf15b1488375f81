/**
 * Writes JSON as `JSON.stringify` does, and a bigint as the number that it is.
 *
 * @throws TypeError for a value that contains itself
 */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // A bigint, or an error that the next call throws again.
  }
  for (let mark = 'int64:'; ; mark += ':') {
    let count = 0
    const marked = JSON.stringify(value, (_key, one: unknown) =>
      typeof one === 'bigint' ? `${mark}${(count++, one)}` : one,
    )
    const text = marked.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), (_marked, digits: string) => {
      count--
      return digits
    })
    // Otherwise a text of the application looks as a marked bigint does.
    if (count === 0) return text
  }
}
