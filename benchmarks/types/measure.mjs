// What it costs the compiler to check an app: instantiations of types, and the time of the check.

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { appText } from './apps.mjs'

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/**
 * @typedef {object} Cost
 * @property {number} instantiations
 * @property {number} checkMs
 * @property {number} memoryMb
 * @property {readonly string[]} problems
 */

export const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
}

/**
 * @param {import('./apps.mjs').Framework} framework
 * @param {number} routes
 * @param {import('./apps.mjs').Style} style
 * @param {Record<string, unknown>} [options] more options of the compiler
 * @returns {Cost}
 */
export function measure(framework, routes, style, options = {}) {
  const folder = here(`dist/${framework.name.replaceAll(/\W+/g, '-')}-${style}-${routes}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }')
  writeFileSync(`${folder}/app.ts`, appText(framework, routes, style))
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files: ['app.ts'] }),
  )
  return readCost(run(folder))
}

/** @param {string} project */
function run(project) {
  const tsc = here('../../node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', project, '--extendedDiagnostics', '--pretty', 'false']
  try {
    return execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 600_000 })
  } catch (error) {
    if (
      error instanceof Error &&
      'stdout' in error &&
      typeof error.stdout === 'string' &&
      error.stdout !== ''
    ) {
      return error.stdout
    }
    throw error
  }
}

/**
 * @param {string} output
 * @returns {Cost}
 */
function readCost(output) {
  /** @param {string} name */
  const figure = (name) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output)?.[1] ?? Number.NaN)
  return {
    instantiations: figure('Instantiations'),
    checkMs: Math.round(figure('Check time') * 1000),
    memoryMb: Math.round(figure('Memory used') / 1024),
    problems: output.split('\n').filter((line) => /error TS\d+/.test(line)),
  }
}
