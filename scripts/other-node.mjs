// `node scripts/other-node.mjs`: runs the suites that depend most on Node's own streams and sockets on Node 24, so that
// a difference is seen before it lands. The binary is an optional dependency (docs/dependencies.md): npm installs the
// one of the platform. Where there is none, the process runs on Node 24 itself or says that it has not.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { repository, run } from './lib/run.mjs'

const LINE = '24'
const SUITES = [
  'packages/wire',
  ...['transports', 'replies', 'responses', 'sockets'].map((one) => `conformance/${one}`),
]

const folder = path.join(
  repository,
  `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
)
const bin = path.join(folder, 'bin')
const binary = path.join(bin, process.platform === 'win32' ? 'node.exe' : 'node')
const isOther = !process.version.startsWith(`v${LINE}.`)

if (isOther && existsSync(binary)) {
  const vitest = path.join(repository, 'node_modules/vitest/vitest.mjs')
  const env = { PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` }
  const command = [binary, vitest, 'run', '--project', 'behaviour', ...SUITES]
  const { code } = await run(command, { env, echo: true, timeoutMs: 20 * 60_000 })
  process.exitCode = code
} else {
  console.log(
    isOther
      ? `no binary of Node ${LINE} for ${process.platform}-${process.arch} is installed: npm run test:nodes -- ${LINE}`
      : `this is Node ${LINE}, on which the other gates run these suites`,
  )
  console.log('0 passed, 0 failed')
}
