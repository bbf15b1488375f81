import { nearestNames, type Expression } from '@cloister/schema'

import type { ManagedApp } from '../boot/managed-app.ts'
import { constraintsOf } from '../routes/define-route.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import type { RouteQuery } from '../routes/route-table.ts'
import { expandOptional, parsePath, type PathPart } from '../router/parse-path.ts'
import { readTarget } from '../router/read-target.ts'
import type { NearRoute } from '../types/description.ts'
import { constraintTexts } from './describe-route.ts'
import { originOf } from './describe-parts.ts'

/** How many routes are named. */
const MOST = 5

/** A route with the number of faults that keep it from matching. */
interface Candidate {
  readonly record: RouteRecord
  readonly distance: number
  readonly why: readonly string[]
}

/** Finds the routes that almost match, the nearest first, each with the reasons why it does not. */
export function findNearest(
  { routes, options }: Pick<ManagedApp, 'routes' | 'options'>,
  wanted: RouteQuery,
): NearRoute[] {
  const target = readTarget(wanted.url, options)
  if (target === null) return []
  const start = target.path.startsWith('/') ? [] : ['the URL does not begin with a slash']
  const path = start.length === 0 ? target.path : `/${target.path}`
  const candidates: Candidate[] = []
  for (const record of routes.records) {
    if (record.automatic && wanted.method !== 'HEAD') continue
    const { distance, why } = comparePaths(record.url, path, options)
    const others = compareRest(record, wanted)
    const all = [...start, ...why, ...others]
    const total = distance + others.length * 0.4
    if (all.length > 0 && distance <= 1) candidates.push({ record, distance: total, why: all })
  }
  return candidates
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ record: { method, url, callSite }, why }) => ({ method, url, ...originOf(callSite), why }))
}

/** The reasons beside the path: another method, other constraints. */
function compareRest(record: RouteRecord, { method, constraints }: RouteQuery): string[] {
  const why = record.method === method ? [] : [`it is for ${record.method}, not for ${method}`]
  const wants = constraintTexts(record)
  for (const [name, value] of Object.entries(wants)) {
    const given = constraints[name]
    if (given === undefined) why.push(`it wants the constraint ${name} to be ${value}`)
    else if (given !== constraintsOf(record.options)[name])
      why.push(`it wants the constraint ${name} to be ${value}, not ${String(given)}`)
  }
  return why
}

interface PathComparison {
  /** 0 for a path that matches; 1 for one segment that differs altogether */
  readonly distance: number
  readonly why: readonly string[]
}

/** Compares the path of a route, each of its spellings, with that of a request. */
function comparePaths(url: string, path: string, options: ManagedApp['options']): PathComparison {
  const all = expandOptional(url).map((one) => compareParts(parsePath(one, options).parts, path, options))
  return all.toSorted((a, b) => a.distance - b.distance)[0] ?? { distance: Infinity, why: [] }
}

function compareParts(
  parts: readonly PathPart[],
  path: string,
  { maxParamLength }: ManagedApp['options'],
): PathComparison {
  const segments = segmentsOf(parts)
  const given = path.split('/').slice(1)
  const wildcard = segments.findIndex((segment) => segment.isWildcard)
  const compared = wildcard === -1 ? Math.max(segments.length, given.length) : wildcard
  let distance = 0
  const why: string[] = []
  for (let index = 0; index < compared; index++) {
    const fault = compareSegment(segments[index], given[index], maxParamLength)
    if (fault === null) continue
    distance += fault.distance
    why.push(fault.why)
  }
  if (wildcard !== -1 && given.length <= wildcard) {
    distance += 0.5
    why.push('the URL ends before the wildcard')
  }
  return { distance, why }
}

/** One segment of a route's path. */
interface Segment {
  readonly source: string
  /** matches the segment; `null` for plain text and for a parameter that takes anything */
  readonly pattern: Expression | null
  readonly isParameter: boolean
  readonly isWildcard: boolean
}

/** The path of a route, cut at its slashes. Parameters never go beyond a slash. */
function segmentsOf(parts: readonly PathPart[]): Segment[] {
  const segments: Segment[] = []
  const text = (source: string): Segment => ({ source, pattern: null, isParameter: false, isWildcard: false })
  for (const part of parts) {
    if (part.kind === 'text') {
      const [before = '', ...rest] = part.text.split('/')
      const last = segments.at(-1)
      if (last !== undefined && before !== '')
        segments.splice(-1, 1, { ...last, source: last.source + before })
      segments.push(...rest.map(text))
      continue
    }
    const isParameter = part.kind === 'parameters'
    const source = `${segments.pop()?.source ?? ''}${isParameter ? part.source : '*'}`
    const pattern = isParameter ? part.pattern : null
    segments.push({ source, pattern, isParameter, isWildcard: !isParameter })
  }
  return segments
}

interface SegmentFault {
  readonly distance: number
  readonly why: string
}

function compareSegment(
  wanted: Segment | undefined,
  given: string | undefined,
  maxParamLength: number,
): SegmentFault | null {
  if (wanted === undefined) {
    const why =
      given === '' ? 'the URL ends with a slash, its path does not' : `its path ends before '/${given ?? ''}'`
    return { distance: given === '' ? 0.2 : 0.8, why }
  }
  if (given === undefined) {
    if (wanted.source === '') return { distance: 0.2, why: 'its path ends with a slash, the URL does not' }
    return { distance: 0.6, why: `the URL ends before '/${wanted.source}'` }
  }
  return wanted.isParameter
    ? compareParameter(wanted, given, maxParamLength)
    : compareText(wanted.source, given)
}

function compareParameter({ source, pattern }: Segment, given: string, longest: number): SegmentFault | null {
  if (pattern !== null && !pattern.test(given)) {
    return { distance: 0.5, why: `'${given}' does not fit '${source}'` }
  }
  if (pattern !== null || given.length <= longest) return null
  return {
    distance: 0.3,
    why: `the value of '${source}' is longer than ${longest} characters (maxParamLength)`,
  }
}

function compareText(wanted: string, given: string): SegmentFault | null {
  if (wanted === given) return null
  if (wanted === '') return { distance: 0.8, why: `its path ends before '/${given}'` }
  if (given === '') return { distance: 0.6, why: `the URL ends before '/${wanted}'` }
  const why = `it has '${wanted}' where the URL has '${given}'`
  if (wanted.toLowerCase() === given.toLowerCase())
    return { distance: 0.2, why: `${why}: another letter case` }
  return { distance: nearestNames(given, [wanted]).length > 0 ? 0.4 : 1, why }
}
