// Lays out, in a temporary folder, what a suite of the peer expects around itself: its own files as published, the
// modules that they ask for, and at the place of the peer's sources the subject.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The folder of the built subject. */
export const dist = path.resolve(import.meta.dirname, '../../../packages/cloister/dist')

/**
 * @typedef {object} Line
 * @property {string} folder where its package.json, node_modules and table of differences are
 * @property {readonly string[]} command arguments of Node before a file
 * @property {string} preload the shim that is loaded before a file
 * @property {(leftOut: readonly string[]) => Record<string, string>} env of a file, with the names of tests to leave out
 * @property {RegExp} tests paths of its test files, from the folder `test`
 * @property {readonly (readonly [RegExp, string])[]} renamed names that read otherwise in Cloister
 * @property {Readonly<Record<string, string>>} shims CommonJS modules at the place of the peer's sources, by path
 * @property {RegExp} internals what a file that wants the peer's own parts requires
 */

/** Every package that is installed for the line, with the subject under the name of the peer.
 * @param {string} from @param {string} to */
function linkModules(from, to) {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name !== 'fastify') symlinkSync(path.join(from, name), path.join(to, name))
  }
  symlinkSync('..', path.join(to, 'fastify'))
}

/** @param {string} folder @param {Line['renamed']} renamed */
function renameIn(folder, renamed) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.m?js$/u.test(entry.name)) continue
    const file = path.join(entry.parentPath, entry.name)
    const text = readFileSync(file, 'utf8')
    const adapted = renamed.reduce((before, [from, to]) => before.replace(from, to), text)
    if (adapted !== text) writeFileSync(file, adapted)
  }
}

/**
 * @param {Line} line
 * @param {'cloister' | 'peer'} subject `peer`: the package as it is, to tell what the machine itself makes fail
 * @returns {string} the folder; the caller removes it
 */
export function createScratchPackage(line, subject) {
  const modules = path.join(line.folder, 'node_modules')
  const peer = path.join(modules, 'fastify')
  const scratch = mkdtempSync(path.join(tmpdir(), 'peer-suite-'))
  if (subject === 'peer') {
    cpSync(peer, scratch, { recursive: true, filter: (source) => source !== path.join(peer, 'node_modules') })
  } else {
    cpSync(path.join(peer, 'test'), path.join(scratch, 'test'), { recursive: true })
    cpSync(path.join(peer, 'package.json'), path.join(scratch, 'package.json'))
    for (const [file, text] of Object.entries(line.shims)) {
      mkdirSync(path.dirname(path.join(scratch, file)), { recursive: true })
      writeFileSync(path.join(scratch, file), `'use strict'\n${text}\n`)
    }
    writeFileSync(
      path.join(scratch, 'subject.js'),
      `module.exports = require(${JSON.stringify(path.join(dist, 'index.js'))}).default\n`,
    )
    renameIn(path.join(scratch, 'test'), line.renamed)
  }
  linkModules(modules, path.join(scratch, 'node_modules'))
  return scratch
}
