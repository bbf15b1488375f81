/*
 * Version ranges of plugins. The semver parser of the other builds would be 5 % of a worker's code; the compared
 * version has no pre-release, so less is needed.
 */

/** The versions from the first (inclusive) to the second (exclusive). */
type Interval = readonly [from: Version, to: Version]
type Version = readonly [major: number, minor: number, patch: number]

const LEAST: Version = [0, 0, 0]
const MOST: Version = [Infinity, 0, 0]
const NUMBER = '(\\d+|[xX*])'
const PARTIAL = `v?${NUMBER}(?:\\.${NUMBER}(?:\\.${NUMBER}(-[\\w.-]+)?(?:\\+[\\w.-]+)?)?)?`
const COMPARATOR = new RegExp(`^(>=|<=|>|<|=|\\^|~>?)?${PARTIAL}$`)
const HYPHEN = new RegExp(`^\\s*(${PARTIAL})\\s+-\\s+(${PARTIAL})\\s*$`)

/**
 * Returns whether a version without pre-release is in a range (`^4.0.0`, `4.x || 5.x`, `>=4 <6`). Returns false for an
 * invalid range.
 */
export function satisfies(version: string, range: string): boolean {
  const given = parse(version)
  return range.split('||').some((part) => intervalsOf(part).every((interval) => includes(interval, given)))
}

function includes([from, to]: Interval, version: Version): boolean {
  return compare(from, version) <= 0 && compare(version, to) < 0
}

function parse(version: string): Version {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return [major, minor, patch]
}

function compare(left: Version, right: Version): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

const NOTHING: Interval = [MOST, LEAST]

function intervalsOf(part: string): Interval[] {
  const hyphen = HYPHEN.exec(part)
  const text = hyphen === null ? part : `>=${hyphen[1] ?? ''} <=${hyphen[6] ?? ''}`
  const comparators = text.replace(/([<>=~^])\s+/g, '$1').split(/\s+/)
  return comparators.filter((one) => one !== '').map(intervalOf)
}

function intervalOf(comparator: string): Interval {
  const found = COMPARATOR.exec(comparator)
  if (found === null) return NOTHING
  const [, operator = '=', ...rest] = found
  const parts = rest
    .slice(0, 3)
    .map((part) => (part === undefined || /[xX*]/.test(part) ? null : Number(part)))
  const [major = null, minor = null, patch = null] = parts
  if (major === null) return operator === '<' || operator === '>' ? NOTHING : [LEAST, MOST]
  const from: Version = [major, minor ?? 0, minor === null ? 0 : (patch ?? 0)]
  // The first version after all versions with these parts.
  const behind = behindOf(major, minor, patch)
  const isEarly = rest[3] !== undefined
  switch (operator) {
    case '>':
      return [isEarly ? from : behind, MOST]
    case '>=':
      return [from, MOST]
    case '<':
      return [LEAST, from]
    case '<=':
      return [LEAST, isEarly ? from : behind]
    case '^':
      return [from, behindCaret(major, minor, patch)]
    case '=':
      return isEarly ? NOTHING : [from, behind]
    default:
      return [from, behindOf(major, minor, null)]
  }
}

function behindOf(major: number, minor: number | null, patch: number | null): Version {
  if (minor === null) return [major + 1, 0, 0]
  return patch === null ? [major, minor + 1, 0] : [major, minor, patch + 1]
}

function behindCaret(major: number, minor: number | null, patch: number | null): Version {
  if (major > 0 || minor === null) return [major + 1, 0, 0]
  return minor > 0 || patch === null ? [0, minor + 1, 0] : [0, 0, patch + 1]
}
