// Runs the compiler of TypeScript on a project, and reads what that cost: instantiations of types, time, memory.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/**
 * @typedef {object} Cost
 * @property {number} instantiations
 * @property {number} checkMs
 * @property {number} memoryMb
 * @property {readonly string[]} problems
 */

/** Options of a project whose code runs in browsers. */
export const browserOptions = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}

/** With these arguments the compiler prints what {@link readCost} reads. */
export const STATISTICS = ['--extendedDiagnostics', '--pretty', 'false']

/**
 * Compiles a project.
 *
 * @param {string} project its folder
 * @param {string} [tsc] the compiler; that of the repository unless given
 * @returns {Cost}
 */
export function compile(project, tsc = here('../../node_modules/typescript/bin/tsc')) {
  const { stdout, stderr, error } = spawnSync(process.execPath, [tsc, '-p', project, ...STATISTICS], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 600_000,
  })
  if (error !== undefined) throw error
  if (stdout === '') throw new Error(`the compiler printed nothing for ${project}: ${stderr}`)
  return readCost(stdout)
}

/**
 * Reads what the compiler has printed with {@link STATISTICS}.
 *
 * @param {string} output
 * @returns {Cost}
 */
export function readCost(output) {
  /** @param {string} name */
  const figure = (name) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output)?.[1] ?? Number.NaN)
  return {
    instantiations: figure('Instantiations'),
    checkMs: Math.round(figure('Check time') * 1000),
    memoryMb: Math.round(figure('Memory used') / 1024),
    problems: output.split('\n').filter((line) => /error TS\d+/.test(line)),
  }
}
