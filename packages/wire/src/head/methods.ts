import { INCOMPLETE, UNUSUAL } from './verdicts.ts'
import { octetsOf } from './octets.ts'

interface Method {
  readonly name: string
  /** its name, and the space after it */
  readonly octets: Uint8Array
}

/** Methods are case-sensitive (RFC 9110 section 9.1; `QUERY` is of RFC 10008); all others are left to Node. */
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'].map(
  (name) => ({ name, octets: octetsOf(`${name} `) }),
)

/**
 * Reads the method of a request line.
 *
 * @returns the index after the space that follows it, or a verdict
 */
export function scanMethod(bytes: Uint8Array, start: number, end: number, found: { method: string }): number {
  let verdict = UNUSUAL
  for (const { name, octets } of METHODS) {
    const most = Math.min(octets.length, end - start)
    let same = 0
    while (same < most && bytes[start + same] === octets[same]) same++
    if (same === octets.length) {
      found.method = name
      return start + same
    }
    if (start + same === end) verdict = INCOMPLETE
  }
  return verdict
}
