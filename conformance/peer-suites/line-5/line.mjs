// The 5.x line: Fastify 5.12, whose suite is written for the test runner of Node.
import path from 'node:path'

import { dist } from '../lib/scratch-package.mjs'
import { line as line4 } from '../line-4/line.mjs'
import { differences } from './differences.mjs'

const LEFT_OUT = 'PEER_SUITE_LEFT_OUT'

/** Those of the 4.x line, and what this suite asks for besides. @type {Readonly<Record<string, string>>} */
const shims = {
  ...line4.shims,
  // Node 20 runs tests by name but cannot leave them out by name.
  'left-out.js': `require('./one-copy.js')
const Module = require('node:module')
const leftOut = new Set(JSON.parse(process.env[${JSON.stringify(LEFT_OUT)}]))
const load = Module._load
const test = require('node:test')
const chosen = new Proxy(test, {
  apply: (_test, self, [name, ...rest]) =>
    leftOut.has(name) ? test.skip(name) : Reflect.apply(test, self, [name, ...rest]),
  get: (_test, key) => (key === 'test' ? chosen : test[key]),
})
Module._load = (request, ...rest) => (request === 'node:test' ? chosen : load(request, ...rest))`,
  // Files that trace requests ask whether they are given the peer's classes.
  'lib/reply.js': `module.exports = require(${JSON.stringify(path.join(dist, 'request/reply.js'))}).ReplyImpl`,
  'lib/request.js': `module.exports = require(${JSON.stringify(path.join(dist, 'request/request.js'))}).RequestImpl`,
}

/** @type {import('../lib/scratch-package.mjs').Line} */
export const line = {
  folder: import.meta.dirname,
  command: ['--test-reporter=tap'],
  preload: './left-out.js',
  env: (leftOut) => ({ [LEFT_OUT]: JSON.stringify(leftOut) }),
  // `internals` tests private parts alone, `scripts` the upkeep of the documentation.
  tests: /^(?!build\/|bundler\/|types\/|scripts\/|internals\/).*\.test\.m?js$/u,
  renamed: line4.renamed,
  internals:
    /require\(['"]((?:\.\.\/)+(?:lib|build)\/(?!(?:symbols|errors|warnings|reply|request)(?:\.js)?['"])[^'"]+)['"]\)/u,
  shims,
}

export { differences }
