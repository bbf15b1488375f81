import { nearestNames } from '@cloister/schema/internal'

import type { ManagedApp } from '../boot/managed-app.ts'
import { constraintsOf } from '../routes/define-route.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import type { RouteQuery } from '../routes/route-table.ts'
import { expandOptional, parsePath, type PathPart } from '../router/parse-path.ts'
import { readTarget } from '../router/read-target.ts'
import type { NearRoute } from '../types/description.generated.ts'
import { constraintTexts, originOf } from './describe.ts'

const MAX_LISTED = 5
/** The distance of a path in which one segment is entirely different. */
const FAR = 10

/** A reason why a route does not match, with its distance in tenths of a segment. */
interface Fault {
  readonly distance: number
  readonly why: string
}

/** Finds the routes that almost match, the nearest first, each with the reasons why it doesn't match. */
export function findNearest({ routes, options }: ManagedApp, wanted: RouteQuery): NearRoute[] {
  const target = readTarget(wanted.url, options)
  if (target === null) return []
  const start = target.path.startsWith('/')
    ? []
    : [{ distance: 0, why: 'the URL does not begin with a slash' }]
  const path = start.length === 0 ? target.path : `/${target.path}`
  return routes.records
    .filter(({ automatic }) => !automatic || wanted.method === 'HEAD')
    .map((record) => ({ record, faults: comparePaths(record.url, path, options) }))
    .filter(({ faults }) => distanceOf(faults) <= FAR)
    .map(({ record, faults }) => ({ record, faults: [...start, ...faults, ...compareRest(record, wanted)] }))
    .filter(({ faults }) => faults.length > 0)
    .toSorted((one, other) => distanceOf(one.faults) - distanceOf(other.faults))
    .slice(0, MAX_LISTED)
    .map(({ record: { method, url, callSite }, faults }) => ({
      method,
      url,
      ...originOf(callSite),
      why: faults.map(({ why }) => why),
    }))
}

function distanceOf(faults: readonly Fault[]): number {
  return faults.reduce((sum, { distance }) => sum + distance, 0)
}

/** Returns the reasons other than the path: the method and the constraints. */
function compareRest(record: RouteRecord, { method, constraints }: RouteQuery): Fault[] {
  const why = record.method === method ? [] : [`it is for ${record.method}, not for ${method}`]
  for (const [name, value] of Object.entries(constraintTexts(record))) {
    const given = constraints[name]
    if (given === constraintsOf(record.options)[name]) continue
    const other = given === undefined ? '' : `, not ${String(given)}`
    why.push(`it wants the constraint ${name} to be ${value}${other}`)
  }
  return why.map((one) => ({ distance: 4, why: one }))
}

/** Compares a request path with the path of a route, using the most similar form of its optional parameters. */
function comparePaths(url: string, path: string, options: ManagedApp['options']): readonly Fault[] {
  const [nearest = []] = expandOptional(url)
    .map((one) => compareParts(parsePath(one, options).parts, path, options.maxParamLength))
    .toSorted((one, other) => distanceOf(one) - distanceOf(other))
  return nearest
}

function compareParts(parts: readonly PathPart[], path: string, longest: number): Fault[] {
  const segments = segmentsOf(parts)
  const given = path.split('/').slice(1)
  const wildcard = segments.findIndex(({ part }) => part.kind === 'wildcard')
  const compared = wildcard === -1 ? Math.max(segments.length, given.length) : wildcard
  const faults = Array.from({ length: compared }, (_, index) =>
    compareSegment(longest, segments[index], given[index]),
  ).filter((fault) => fault !== null)
  if (wildcard === -1 || given.length > wildcard) return faults
  return [...faults, { distance: 5, why: 'the URL ends before the wildcard' }]
}

/** A segment of a route's path. */
interface Segment {
  readonly source: string
  /** text, unless it has a parameter or a wildcard */
  readonly part: PathPart
}

/** Splits the path of a route at its slashes. Parameters never contain a slash. */
function segmentsOf(parts: readonly PathPart[]): Segment[] {
  const segments: Segment[] = []
  for (const part of parts) {
    const last = segments.pop()
    const source = last?.source ?? ''
    if (part.kind === 'wildcard') segments.push({ source: `${source}*`, part })
    else if (part.kind === 'parameters') segments.push({ source: source + part.source, part })
    else {
      const [before = '', ...rest] = part.text.split('/')
      if (last !== undefined) segments.push({ ...last, source: source + before })
      segments.push(...rest.map((text) => ({ source: text, part })))
    }
  }
  return segments
}

function compareSegment(longest: number, wanted?: Segment, given?: string): Fault | null {
  if (wanted === undefined && given === '')
    return { distance: 2, why: 'the URL ends with a slash, its path does not' }
  if (wanted?.source === '' && given === undefined)
    return { distance: 2, why: 'its path ends with a slash, the URL does not' }
  if (wanted?.part.kind !== 'parameters' || given === undefined)
    return compareText(wanted?.source ?? '', given ?? '')
  const { source, part } = wanted
  if (part.pattern !== null)
    return part.pattern.test(given) ? null : { distance: 5, why: `'${given}' does not match '${source}'` }
  if (given.length <= longest) return null
  return {
    distance: 3,
    why: `the value of '${source}' is longer than ${longest} characters (maxParamLength)`,
  }
}

function compareText(wanted: string, given: string): Fault | null {
  if (wanted === given) return null
  if (wanted === '') return { distance: 9, why: `its path ends before '/${given}'` }
  if (given === '') return { distance: 6, why: `the URL ends before '/${wanted}'` }
  const why = `it has '${wanted}' where the URL has '${given}'`
  if (wanted.toLowerCase() === given.toLowerCase()) return { distance: 2, why: `${why}: another letter case` }
  const [short = '', long = ''] = [wanted, given].toSorted((one, other) => one.length - other.length)
  const isPrefix = long.startsWith(short)
  // A plural, or a word that is cut, is nearer than one with other letters: /dishes than /fish, for /dish.
  if (isPrefix && long.length <= 2 * short.length) return { distance: 3, why }
  if (nearestNames(given, [wanted]).length > 0) return { distance: 4, why }
  return { distance: isPrefix ? 5 : FAR, why }
}
