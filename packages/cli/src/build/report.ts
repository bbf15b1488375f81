import { gzipSync } from 'node:zlib'
import path from 'node:path'

import { printCallSite } from '../text.ts'
import type { BuildOptions, BuildResult } from './build-app.ts'
import { TARGETS } from './targets.ts'

const { version, platform, arch } = process
const RUNNING = `Node ${version} on ${platform} ${arch}`
const MAX_LISTED = 20
const MAX_FRAMES = 4

/** Prints what a build has done; ends with a line feed. */
export function printResult(
  result: BuildResult,
  { target, out, seals }: BuildOptions,
  folder: string,
): string {
  const file = path.relative(folder, out)
  const { bundle, features, table, proof, idle, unsealed, uncached, cacheSize } = result
  const { differences, equal, unsteady } = proof
  const count = Object.keys(table.entries).length
  const requests = equal + differences.length
  const lines = [
    ...listSkipped(result, folder),
    ...(features.length === 0 ? [] : [`features: ${features.map((one) => path.basename(one)).join(', ')}`]),
    ...differences.slice(0, MAX_LISTED).flatMap((one) => printDifference(one, proof.failures, folder)),
    `${requests} requests, ${differences.length} differences${unsteady === 0 ? '' : ` (${unsteady} more respond differently each time)`}`,
  ]
  if (differences.length > 0) return `${[...lines, `${file} is not written`].join('\n')}\n`
  const [bytes, packed] = [bundle.code.length, gzipSync(bundle.code, { level: 9 }).length]
  return `${[
    ...lines,
    `${file} for ${target}: ${kilobytes(bytes)}, ${kilobytes(packed)} after gzip, ${unsealed === null && seals ? 'sealed' : 'open'}, with ${count} functions of schemas as code`,
    ...(unsealed === null ? [] : [`not sealed: ${unsealed}`]),
    ...(uncached === null ? [] : [`no code cache: ${uncached}`]),
    ...(cacheSize === 0 ? [] : [`${file}.cache: ${kilobytes(cacheSize)}, for ${RUNNING}`]),
    ...(bundle.missing.length > 0 ? [`left out, because not installed: ${bundle.missing.join(', ')}`] : []),
    ...(TARGETS[target].hasNode && idle.length > 0 ? [`imported when first needed: ${idle.join(', ')}`] : []),
    `start: ${TARGETS[target].start(file)}`,
  ].join('\n')}\n`
}

function listSkipped({ skipped, routes }: BuildResult, folder: string): string[] {
  return skipped.map(({ method, url, part, reason }) => {
    const route = routes.find((one) => one.method === method && one.url === url)
    const place =
      route === undefined || route.callSite === '' ? '' : ` (${printCallSite(route.callSite, folder)})`
    return `compiled at the start: ${part} of ${method} ${url}${place}: ${reason}`
  })
}

function printDifference(
  { exchange, changes }: BuildResult['proof']['differences'][number],
  failures: BuildResult['proof']['failures'],
  folder: string,
): string[] {
  const failure = failures.get(exchange.key)
  const { method, url, body } = exchange.request
  const place = exchange.callSite === '' ? '' : ` (${printCallSite(exchange.callSite, folder)})`
  return [
    `${method} ${url}${body === null ? '' : ` ${body.slice(0, 200)}`}${place}`,
    ...changes.map(({ what, before, after }) => `  ${what}: ${before} became ${after}`),
    ...(failure === undefined
      ? []
      : [`  the built app: ${failure.split('\n').slice(0, MAX_FRAMES).join('\n  ')}`]),
  ]
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`
}
