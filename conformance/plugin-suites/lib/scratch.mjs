// Lays out, in a temporary folder, the packages of the plugins as published, with their tests. What they need beside
// themselves is linked; under the name `fastify` they find the subject.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

const folder = path.resolve(import.meta.dirname, '..')
const modules = path.join(folder, 'node_modules')
const cloister = path.resolve(folder, '../../packages/cloister')

/** Folders that tests expect and that hold nothing, which npm leaves out of packages. @type {Record<string, string[]>} */
const EMPTY_FOLDERS = {
  '@fastify/autoload': ['test/commonjs/basic/skip/empty', 'test/module/basic/skip/empty'],
}

/** Plugins whose names do not begin with `@fastify/`. */
const OTHER_PLUGINS = new Set(['fastify-plugin', 'mercurius'])

/**
 * The names of the plugins that have tests.
 * @param {string | null} checkouts see `sourceOf`
 */
export function listPlugins(checkouts) {
  /** @type {{ dependencies: Record<string, string> }} */
  const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return Object.keys(dependencies).filter(
    (name) =>
      (name.startsWith('@fastify/') || OTHER_PLUGINS.has(name)) && testFiles(name, checkouts).length > 0,
  )
}

/**
 * The folder of a plugin with its tests: the installed package, or a clone of its repository for those whose packages
 * hold none.
 *
 * @param {string} name
 * @param {string | null} checkouts a folder with clones by the names of packages
 */
function sourceOf(name, checkouts) {
  const checkout = checkouts === null ? null : path.resolve(checkouts, name)
  return checkout !== null && existsSync(checkout) ? checkout : path.join(modules, name)
}

/** The test files of a plugin, as paths within its folder. @param {string} name @param {string | null} checkouts @returns {string[]} */
export function testFiles(name, checkouts) {
  const root = sourceOf(name, checkouts)
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?js$/u.test(file) && !/(?:^|\/)node_modules\//u.test(file))
    .filter((file) =>
      /(?:require\(|from )['"](?:tap|node:test)['"]/u.test(readFileSync(path.join(root, file), 'utf8')),
    )
    .toSorted()
}

/** The version of an installed package. @param {string} name @returns {string} */
export function versionOf(name) {
  return JSON.parse(readFileSync(path.join(modules, name, 'package.json'), 'utf8')).version
}

/**
 * Codes of the framework read otherwise in Cloister; those of plugins stay.
 * @returns {(text: string) => string}
 */
function createRename() {
  const { errorCodes } = createRequire(import.meta.url)(cloister)
  return (text) =>
    text.replace(/\bFST_ERR_(\w+)/gu, (code, words) =>
      `CLO_ERR_${words}` in errorCodes ? `CLO_ERR_${words}` : code,
    )
}

/** @param {string} root @param {readonly string[]} files @param {(text: string) => string} rename */
function renameIn(root, files, rename) {
  for (const file of files.map((name) => path.join(root, name))) {
    const text = readFileSync(file, 'utf8')
    const adapted = rename(text)
    if (adapted !== text) writeFileSync(file, adapted)
  }
}

/** Puts the subject under the name `fastify`. @param {string} to @param {'cloister' | 'fastify'} subject */
function placeSubject(to, subject) {
  if (subject === 'fastify') {
    symlinkSync(path.join(modules, 'fastify'), to)
    return
  }
  mkdirSync(to)
  const version = versionOf('fastify')
  writeFileSync(
    path.join(to, 'package.json'),
    JSON.stringify({ name: 'fastify', version, main: 'fastify.js' }),
  )
  writeFileSync(
    path.join(to, 'fastify.js'),
    `'use strict'
const subject = require(${JSON.stringify(cloister)})
module.exports = subject
module.exports.default = subject
module.exports.fastify = subject
module.exports.errorCodes = subject.errorCodes
`,
  )
  // What three files load at their top: keys of private fields, and the codes of errors.
  mkdirSync(path.join(to, 'lib'))
  const symbols = createRequire(import.meta.url).resolve('cloister/lib/symbols')
  writeFileSync(
    path.join(to, 'lib/symbols.js'),
    `'use strict'
const symbols = { ...require(${JSON.stringify(symbols)}) }
module.exports = new Proxy(symbols, { get: (keys, name) => (keys[name] ??= Symbol(name)) })
`,
  )
  writeFileSync(path.join(to, 'lib/errors.js'), `module.exports = require('../fastify.js').errorCodes\n`)
}

/**
 * @param {readonly string[]} plugins
 * @param {'cloister' | 'fastify'} subject
 * @param {string | null} checkouts see `sourceOf`
 * @returns {string} a folder with a package for each plugin, by its name; the caller removes it
 */
export function createScratch(plugins, subject, checkouts) {
  const scratch = mkdtempSync(path.join(tmpdir(), `plugin-suites-${subject}-`))
  const links = path.join(scratch, 'node_modules')
  mkdirSync(links)
  for (const name of readdirSync(modules)) {
    if (name !== 'fastify') symlinkSync(path.join(modules, name), path.join(links, name))
  }
  placeSubject(path.join(links, 'fastify'), subject)
  const rename = createRename()
  for (const name of plugins) {
    const from = sourceOf(name, checkouts)
    const to = path.join(scratch, name)
    cpSync(from, to, {
      recursive: true,
      filter: (source) => ![path.join(from, 'node_modules'), path.join(from, '.git')].includes(source),
    })
    const own = path.join(modules, name, 'node_modules')
    if (existsSync(own)) symlinkSync(own, path.join(to, 'node_modules'))
    for (const empty of EMPTY_FOLDERS[name] ?? []) mkdirSync(path.join(to, empty), { recursive: true })
    if (subject === 'cloister') renameIn(to, testFiles(name, checkouts), rename)
  }
  return scratch
}
