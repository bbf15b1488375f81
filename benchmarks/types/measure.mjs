// What it costs the compiler to check an app: instantiations of types, and the time of the check.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { appText } from './apps.mjs'
import { compile } from './compiler.mjs'

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** @typedef {import('./compiler.mjs').Cost} Cost */

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
 * @param {string} [tsc] the compiler; that of the repository unless given
 * @returns {Cost}
 */
export function measure(framework, routes, style, options = {}, tsc) {
  const folder = here(`dist/${framework.name.replaceAll(/\W+/g, '-')}-${style}-${routes}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }')
  writeFileSync(`${folder}/app.ts`, appText(framework, routes, style))
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files: ['app.ts'] }),
  )
  return compile(folder, tsc)
}
