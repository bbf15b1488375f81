import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'

import { objectOf } from '../diff/json.ts'
import { ALIAS, installCommand, keptFastify, managerOf } from '../package-manager.ts'
import type { Finding } from './finding.ts'

/** Finds what is wrong with the package that is installed under the name `fastify`. */
export function checkAlias(file: string, folder: string): Finding[] {
  const manifest = objectOf(manifestAt(path.join(folder, 'package.json')))
  return [...checkInstalled(file, folder, manifest), ...checkPlugins(file, manifest)]
}

/** Finds an installation that kept Fastify though `package.json` has the alias: the move had no effect. */
function checkInstalled(file: string, folder: string, manifest: Record<string, unknown>): Finding[] {
  const alias = ['dependencies', 'devDependencies']
    .map((kind) => objectOf(manifest[kind])['fastify'])
    .find((range) => typeof range === 'string' && range.startsWith('npm:'))
  const installed = objectOf(manifestOf('fastify', file))
  if (typeof alias !== 'string' || installed['name'] !== 'fastify') return []
  const manager = managerOf((lock) => existsSync(path.join(folder, lock)))
  const command = installCommand(manager, alias, { isRoot: true, inside: [] })
  const message = keptFastify(String(installed['version']), command)
  return [{ level: 'problem', check: 'installed', code: 'ALIAS_NOT_INSTALLED', message, callSite: null }]
}

/** What is below `@fastify` and no plugin has no types of the framework. */
const TOOLS =
  /^@fastify\/(?:ajv-compiler|busboy|error|fast-json-stringify-compiler|merge-json-schemas|proxy-addr)$/

/** Finds plugins whose types import `fastify`, in a project of Cloister without the alias. */
function checkPlugins(file: string, manifest: Record<string, unknown>): Finding[] {
  const { dependencies, devDependencies } = manifest
  const names = Object.keys({ ...objectOf(dependencies), ...objectOf(devDependencies) })
  const plugins = names.filter((name) => name.startsWith('@fastify/') && !TOOLS.test(name))
  if (!names.includes('cloister') || names.includes('fastify') || plugins.length === 0 || hasAlias(file))
    return []
  const message = `the types of ${plugins.join(', ')} import fastify, which is not installed, so TypeScript refuses their options and decorators; add "fastify": "${ALIAS}" to the dependencies of package.json, and install`
  return [{ level: 'note', check: 'installed', code: 'ALIAS_MISSING', message, callSite: null }]
}

function manifestAt(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** Whether a file that imports `fastify` gets Cloister, by the alias of the migration guide. */
export function hasAlias(file: string): boolean {
  const manifest = manifestOf('fastify', file)
  return (
    typeof manifest === 'object' && manifest !== null && Reflect.get(manifest, 'name') === '@cloister/fastify'
  )
}

function manifestOf(name: string, file: string): unknown {
  try {
    return createRequire(file)(`${name}/package.json`)
  } catch {
    return null
  }
}
