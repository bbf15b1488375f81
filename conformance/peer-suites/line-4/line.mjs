// The 4.x line: Fastify 4.29, whose suite is written for `tap` 16 (here its core, `libtap`, without the reporters).
import { differences } from './differences.mjs'

/** What stands at the place of the peer's sources: CommonJS modules, by path. `subject.js` is there already. */
const shims = {
  // The names are written out for those that import it as an ES module.
  'fastify.js': `const subject = require('./subject.js')
module.exports = subject
module.exports.default = subject
module.exports.fastify = subject
module.exports.errorCodes = subject.errorCodes`,
  // The suite takes the constructors of errors from here; they are public as \`errorCodes\`.
  'lib/errors.js': `module.exports = require('../subject.js').errorCodes`,
  // Keys of the peer's private fields: symbols of these names, under which nothing is to be found. Only the classes of
  // requests, which many files ask for in passing, are there: every object is one.
  'lib/symbols.js': `const keys = { kRequest: Symbol('kRequest') }
const { getPrototypeOf } = Object
getPrototypeOf(getPrototypeOf(require('../subject.js')()))[keys.kRequest] = { parent: Object }
module.exports = new Proxy(keys, { get: (keys, name) => (keys[name] ??= Symbol(name)) })`,
  // The peer's warnings, which Cloister does not have.
  'lib/warnings.js': `module.exports = new Proxy({}, {
  get: (warnings, code) => (warnings[code] ??= { name: 'Warning', code, emitted: false }),
})`,
}

/** The pattern of these names as a whole. @param {readonly string[]} names */
function either(names) {
  return `/^(${names.map((name) => name.replace(/[\\/^$.*+?()[\]{}|]/gu, '\\$&')).join('|')})$/`
}

/** @type {import('../lib/scratch-package.mjs').Line} */
export const line = {
  folder: import.meta.dirname,
  command: ['--allow-natives-syntax'],
  env: (leftOut) =>
    leftOut.length === 0 ? { TAP: '1' } : { TAP: '1', TAP_GREP: either(leftOut), TAP_GREP_INVERT: '1' },
  tests: /^(?!build\/|bundler\/|types\/).*\.test\.m?js$/u,
  renamed: [[/\bFST_ERR_/gu, 'CLO_ERR_']],
  internals:
    /require\(['"]((?:\.\.\/)+(?:lib|build)\/(?!(?:symbols|errors|warnings)(?:\.js)?['"])[^'"]+)['"]\)/u,
  shims,
}

export { differences }
