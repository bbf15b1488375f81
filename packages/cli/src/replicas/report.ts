import path from 'node:path'
import { readSources } from '../source-files.ts'
import { findState } from './find-state.ts'
import type { TraceLine } from './settings.ts'

/** A run of the tests that failed. */
export interface Failure {
  readonly seed: number
  readonly output: string
  readonly lines: readonly TraceLine[]
}

/** What the report is about. */
export interface ReportContext {
  readonly count: number
  readonly runs: number
  readonly entry: string
  readonly folder: string
}

/** Lines by which test runners name a test that has failed: Node, TAP, Vitest, Mocha. */
const NAMES = [
  /^\s*✖ (.+?)(?: \([\d.]+ms\))?$/,
  /^\s*not ok \d+ - (.+)$/,
  /^\s*FAIL\s+(\S.+ > .+)$/,
  /^\s*\d+\) (.+?):?$/,
]
const NO_NAME = /^failing tests:?$/

/** Writes what failed: test, seed, requests with their replicas, and variables that look like the reason. */
export async function report(
  failures: readonly Failure[],
  { count, runs, entry, folder }: ReportContext,
): Promise<string> {
  const tests = new Map<string, number[]>()
  for (const { seed, output } of failures)
    for (const name of failedTests(output)) tests.set(name, [...(tests.get(name) ?? []), seed])
  const lines = [
    `These tests pass with one replica and fail with ${count}, in ${failures.length} of ${runs} runs:`,
    '',
  ]
  for (const [name, seeds] of tests) lines.push(`  ${name} (seed ${seeds.join(', ')})`)
  const [first] = failures
  if (tests.size === 0 && first !== undefined) lines.push(first.output.trimEnd())
  if (first !== undefined)
    lines.push('', `Requests of the run with the seed ${first.seed}:`, '', ...requestsOf(first))
  lines.push('', ...(await placesOf(entry, folder)), '')
  lines.push(`Run one again: cloister replicas --runs 1 --seed ${first?.seed ?? 1} -- …`, '')
  return lines.join('\n')
}

/** Returns the names of the tests that a runner says have failed; a suite is named by its tests. */
export function failedTests(output: string): string[] {
  const names = new Set<string>()
  // Without the colours of terminals.
  for (const line of output.replaceAll(/\x1B\[[\d;]*m/g, '').split('\n'))
    for (const pattern of NAMES) {
      const name = pattern.exec(line)?.[1]?.trim()
      if (name !== undefined && !NO_NAME.test(name) && !/\.[cm]?[jt]sx?$/.test(name)) names.add(name)
    }
  return [...names]
}

/** One line for each place of the tests: what it asked for, in order, with the replica that got it. */
function requestsOf({ lines }: Failure): string[] {
  const places = new Map<string, string[]>()
  for (const { at, what, replica } of lines) {
    if (what === 'restart') continue
    const place = at === '' ? '(unknown place)' : at
    places.set(place, [...(places.get(place) ?? []), `${what} → ${replica}`])
  }
  return [...places].map(([place, asked]) => {
    const more = asked.length > MAX_LISTED ? `, and ${asked.length - MAX_LISTED} more` : ''
    return `  ${place}  ${asked.slice(0, MAX_LISTED).join(', ')}${more}`
  })
}

const MAX_LISTED = 6

async function placesOf(entry: string, folder: string): Promise<string[]> {
  const sources = await readSources(path.dirname(entry), ['test', 'tests', '__tests__', 'dist'])
  const ofApp = sources.filter((source) => !/\.(test|spec)\.[cm]?[jt]sx?$/.test(source.path))
  const found = (await Promise.all(ofApp.map(findState))).flat()
  if (found.length === 0) return ['No variable was found that requests change; look at packages and files.']
  const lines = found.map(({ file, line, name }) => `  ${path.relative(folder, file)}:${line}  ${name}`)
  return ['Variables that requests change, which each process has for itself:', '', ...lines]
}
