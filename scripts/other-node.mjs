// `node scripts/other-node.mjs`: runs the suites that depend most on Node's own streams and sockets on Node 24, so that
// a difference is seen before it lands. `conformance/node-24` has the binary, and
// npm installs the one of the platform. Platforms without a published one run `npm run test:nodes`.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repository, run } from './lib/run.mjs'

const LINE = '24'
const SUITES = [
  'packages/wire',
  ...['transports', 'replies', 'responses', 'sockets'].map((one) => `conformance/${one}`),
]

const platform = process.platform === 'win32' ? 'win' : process.platform
const name = `node-${platform}-${process.arch}`
const home = path.join(repository, 'conformance/node-24')
const bin = path.join(home, 'node_modules', name, 'bin')
const binary = path.join(bin, process.platform === 'win32' ? 'node.exe' : 'node')
const { optionalDependencies } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))

if (process.version.startsWith(`v${LINE}.`)) {
  console.log(`this is Node ${LINE}, on which the other gates run these suites\n0 passed, 0 failed`)
} else if (existsSync(binary)) {
  const vitest = path.join(repository, 'node_modules/vitest/vitest.mjs')
  const env = { PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` }
  const command = [binary, vitest, 'run', '--project', 'behaviour', ...SUITES]
  const { code } = await run(command, { env, echo: true, timeoutMs: 20 * 60_000 })
  process.exitCode = code
} else {
  // npm leaves out an optional dependency that it cannot install, without a word.
  const isExpected = name in optionalDependencies
  console.log(
    `${name} is ${isExpected ? 'not installed: npm ci --prefix conformance/node-24' : `not published: npm run test:nodes -- ${LINE}`}`,
  )
  console.log(`0 passed, ${isExpected ? 1 : 0} failed`)
  process.exitCode = isExpected ? 1 : 0
}
