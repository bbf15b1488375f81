// The 4.x line: Fastify 4.29, whose suite is written for `tap` 16 (here its core, `libtap`, without the reporters).
import path from 'node:path'

import { dist } from '../lib/scratch-package.mjs'
import { differences } from './differences.mjs'

/** Replaces the sources of Fastify: CommonJS modules, by path. `subject.js` is there already. */
const shims = {
  // The names are written out for those that import it as an ES module.
  'fastify.js': `const subject = require('./subject.js')
module.exports = subject
module.exports.default = subject
module.exports.fastify = subject
module.exports.errorCodes = subject.errorCodes`,
  // Plugins of Ajv and readers of pino's symbols want the copy of the framework, as an application's install gives it.
  'one-copy.js': `const Module = require('node:module')
const resolve = Module._resolveFilename
const subject = new Module(${JSON.stringify(path.join(dist, 'index.js'))})
subject.paths = Module._nodeModulePaths(${JSON.stringify(dist)})
Module._resolveFilename = function (request, parent, ...rest) {
  return resolve.call(this, request, /^(?:ajv|pino)(?:[/]|$)/.test(request) ? subject : parent, ...rest)
}`, // The suite takes the constructors of errors from here; they are public as \`errorCodes\`.
  'lib/errors.js': `module.exports = require('../subject.js').errorCodes`,
  'lib/own-symbols.js': `module.exports = require(${JSON.stringify(path.join(dist, 'symbols.js'))})`,
  // Keys of the peer's private fields: symbols of these names, under which nothing is to be found. Two are asked for in
  // passing by many files: the class of requests, which every object passes for, and the headers of a reply.
  'lib/symbols.js': `const { kReplyHeaders } = require('./own-symbols.js')
const keys = { kRequest: Symbol('kRequest'), kReplyHeaders }
const { getPrototypeOf } = Object
getPrototypeOf(getPrototypeOf(require('../subject.js')()))[keys.kRequest] = { parent: Object }
module.exports = new Proxy(keys, { get: (keys, name) => (keys[name] ??= Symbol(name)) })`,
  // The peer's warnings: Cloister has some of them, under its own codes.
  'lib/warnings.js': `const codes = {
  FSTWRN001: 'CLO_WRN_SCHEMA_MISSING',
  FSTWRN002: 'CLO_WRN_PLUGIN_STYLES_MIXED',
  FSTWRN004: 'CLO_WRN_ERROR_HANDLER_REPLACED',
}
module.exports = new Proxy({}, {
  get: (warnings, code) => (warnings[code] ??= { name: 'Warning', code: codes[code] ?? code, emitted: false }),
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
  preload: './one-copy.js',
  env: (leftOut) =>
    leftOut.length === 0 ? { TAP: '1' } : { TAP: '1', TAP_GREP: either(leftOut), TAP_GREP_INVERT: '1' },
  tests: /^(?!build\/|bundler\/|types\/).*\.test\.m?js$/u,
  renamed: [
    [/\bFST_ERR_/gu, 'CLO_ERR_'],
    [/\bFastify(Error|Warning)\b/gu, 'Cloister$1'],
  ],
  internals:
    /require\(['"]((?:\.\.\/)+(?:lib|build)\/(?!(?:symbols|errors|warnings)(?:\.js)?['"])[^'"]+)['"]\)/u,
  shims,
}

export { differences }
