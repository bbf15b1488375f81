// The 4.x line: Fastify 4.29, whose suite is written for `tap` 16 (here its core, `libtap`, without the reporters).
import { differences } from './differences.mjs'

/** @type {import('../lib/scratch-package.mjs').Line} */
export const line = {
  folder: import.meta.dirname,
  command: ['--allow-natives-syntax'],
  tests: /^(?!build\/|bundler\/|types\/).*\.test\.m?js$/u,
  renamed: [[/\bFST_ERR_/gu, 'CLO_ERR_']],
  internals:
    /require\(['"]((?:\.\.\/)+(?:lib|build)\/(?!(?:symbols|errors|warnings)(?:\.js)?['"])[^'"]+)['"]\)/u,
}

export { differences }
