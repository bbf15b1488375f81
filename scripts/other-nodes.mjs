// `node scripts/other-nodes.mjs`: runs the suites that depend most on Node's own streams and sockets on the other lines
// in long-term support, so that a difference is seen before it lands. `conformance/other-nodes` has the binaries, and
// npm installs those of the platform. Platforms without a published one run `npm run test:nodes`.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './lib/run.mjs'
import { vitestOn } from './lib/vitest-on.mjs'

const LINES = ['24', '26']
const SUITES = [
  'packages/wire',
  ...['transports', 'bodies', 'ends', 'hooks', 'replies', 'responses', 'sockets'].map(
    (one) => `conformance/${one}`,
  ),
]

const isWindows = process.platform === 'win32'
const home = path.join(repository, 'conformance/other-nodes')
const { optionalDependencies } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
let [passed, failed] = [0, 0]

for (const line of LINES) {
  if (process.version.startsWith(`v${line}.`)) {
    console.log(`this is Node ${line}, on which the other gates run these suites`)
    continue
  }
  const name = `node-${line}-${isWindows ? 'win' : process.platform}-${process.arch}`
  const binary = path.join(home, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  if (!existsSync(binary)) {
    // npm leaves out an optional dependency that it cannot install, without a word.
    const isExpected = name in optionalDependencies
    console.log(
      `${name} is ${isExpected ? 'not installed: npm ci --prefix conformance/other-nodes' : `not published: npm run test:nodes -- ${line}`}`,
    )
    failed += isExpected ? 1 : 0
    continue
  }
  const counts = await vitestOn(line, binary, ['run', '--project', 'behaviour', ...SUITES])
  passed += counts.passed
  failed += counts.failed
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
