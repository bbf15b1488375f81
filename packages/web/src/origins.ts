import { invalid } from './options.ts'

/** Decides whether an origin is in a list. */
export type OriginTest = (origin: string) => boolean

const HAS_WILDCARD = /^([a-z][\d+\-.a-z]*:\/\/)\*\.([^*/]+)$/

/**
 * Compiles a list of origins (RFC 6454 section 6.2).
 *
 * @param option - the name of the option, for messages
 * @throws WebOptionError for a text that no browser sends as origin, such as one with a path, and for an expression that
 * is not anchored at both ends
 */
export function compileOrigins(given: readonly (string | RegExp)[], option: string): OriginTest {
  const exact = new Set<string>()
  const tests: OriginTest[] = []
  for (const [index, origin] of given.entries()) {
    const place = `${option}[${index}]`
    if (origin instanceof RegExp) tests.push(anchored(origin, place))
    else if (origin === 'null') exact.add(origin)
    else if (typeof origin === 'string' && origin.includes('*')) tests.push(wildcard(origin, place))
    else exact.add(normal(origin, place))
  }
  return (origin) => exact.has(origin) || tests.some((test) => test(origin))
}

function normal(origin: unknown, place: string): string {
  const wanted = "an origin, such as 'https://shop.example', without path and slash at its end"
  if (typeof origin !== 'string' || !URL.canParse(origin)) throw invalid(place, wanted, origin)
  const url = new URL(origin)
  // Schemes of apps have no origin for the URL parser.
  const serialized = url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin
  if (serialized !== origin) throw invalid(place, `${wanted}: '${serialized}'`, origin)
  return origin
}

/** Without `i`, `m` and both anchors, an expression admits hosts that its author does not mean. */
function anchored(expression: RegExp, place: string): OriginTest {
  const { source, flags } = expression
  if (!source.startsWith('^') || !source.endsWith('$') || source.endsWith('\\$') || hasTopLevelChoice(source))
    throw invalid(place, "an expression from '^' to '$' that matches whole origins", expression)
  if (/[gmy]/.test(flags))
    throw invalid(place, "an expression without the flags 'g', 'm' and 'y'", expression)
  return (origin) => expression.test(origin)
}

/** Whether `^a|b$` matches more than from its first to its last character. */
function hasTopLevelChoice(source: string): boolean {
  let depth = 0
  let isClass = false
  for (let at = 0; at < source.length; at++) {
    const character = source[at]
    if (character === '\\') at++
    else if (character === '[') isClass = true
    else if (character === ']') isClass = false
    else if (isClass) continue
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === '|' && depth === 0) return true
  }
  return false
}

/** `https://*.shop.example` admits one or more labels, never the host itself or a suffix of another name. */
function wildcard(origin: string, place: string): OriginTest {
  const [, scheme, rest] = HAS_WILDCARD.exec(origin) ?? []
  if (scheme === undefined || rest === undefined)
    throw invalid(
      place,
      "an origin with '*' as its left-most labels, such as 'https://*.shop.example'",
      origin,
    )
  normal(`${scheme}${rest}`, place)
  const end = `.${rest}`
  return (given) =>
    given.startsWith(scheme) &&
    given.endsWith(end) &&
    /^[\d\-.a-z]+$/.test(given.slice(scheme.length, -end.length)) &&
    !given.slice(scheme.length).startsWith('.')
}
