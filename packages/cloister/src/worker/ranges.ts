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
  const parts = rest.slice(0, 3)
  const wild = parts.findIndex((part) => part === undefined || /[xX*]/.test(part))
  const given = parts.slice(0, wild === -1 ? 3 : wild).map(Number)
  const [major, minor = 0, patch = 0] = given
  if (major === undefined) return operator === '<' || operator === '>' ? NOTHING : [LEAST, MOST]
  const from: Version = [major, minor, patch]
  // The first version after all versions with the same parts up to this one, or up to the last one given.
  const behind = (part: number): Version => {
    const counted = Math.min(part, given.length - 1)
    return counted === 0
      ? [major + 1, 0, 0]
      : counted === 1
        ? [major, minor + 1, 0]
        : [major, minor, patch + 1]
  }
  const isEarly = rest[3] !== undefined
  const intervals: Readonly<Record<string, Interval>> = {
    '>': [isEarly ? from : behind(2), MOST],
    '>=': [from, MOST],
    '<': [LEAST, from],
    '<=': [LEAST, isEarly ? from : behind(2)],
    '^': [from, behind(major > 0 ? 0 : minor > 0 ? 1 : 2)],
    '=': isEarly ? NOTHING : [from, behind(2)],
  }
  return intervals[operator] ?? [from, behind(1)]
}
