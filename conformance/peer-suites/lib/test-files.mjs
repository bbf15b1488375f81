// Which files of a suite can be asked of a framework that is not the peer.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** @param {string} tests folder @param {RegExp} pattern @returns {string[]} paths from `tests` */
export function listTestFiles(tests, pattern) {
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .toSorted()
}

/**
 * Why a file cannot be asked: it loads, at its top, parts of the peer that no user sees.
 *
 * @param {string} file @param {RegExp} internals
 * @returns {string} an empty string when it can
 */
export function privateReason(file, internals) {
  const wanted = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^\S/u.test(line))
    .map((line) => internals.exec(line)?.[1])
    .filter((name) => name !== undefined)
  return [...new Set(wanted)]
    .map((name) => `\`${path.posix.normalize(name).replace(/^(\.\.\/)+/u, '')}\``)
    .join(', ')
}
