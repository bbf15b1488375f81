import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { blocksOfMarkdown } from '../../../scripts/lib/code-blocks.mjs'
import { repository, run } from '../../../scripts/lib/run.mjs'
import { nodes } from '../lib/project.ts'
import { start } from '../lib/start.ts'

const PAGE = path.join(repository, 'docs/guide/getting-started.md')
const text = readFileSync(PAGE, 'utf8')
const folder = mkdtempSync(path.join(tmpdir(), 'first-hour-'))

async function runHere(command: readonly string[], node = process.execPath): Promise<string> {
  const env = { PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}` }
  const { code, output } = await run(command, { cwd: folder, env, timeoutMs: 240_000 })
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`)
  return output
}

/** What the page says is typed and read: after `$` a command, below it what it prints. */
function stepsOf(page: string): [command: string, printed: string][] {
  const blocks = [...page.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return blocks
    .flatMap((block) => block.split(/^\$ /m).filter((step) => step !== ''))
    .map((step) => {
      const [command = '', ...printed] = step.split('\n')
      return [command, printed.join('\n').trim()]
    })
}

describe('the first hour of docs/guide/getting-started.md, in a folder after npm init -y', () => {
  beforeAll(async () => {
    await runHere(['npm', 'init', '-y'])
    const packed = inject('tarballs').filter((file) => !/(?:create|fastify)-/.test(path.basename(file)))
    await runHere(['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...packed])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(nodes)('reads what the page says on %s', async (node) => {
    const [program] = blocksOfMarkdown(PAGE, text).filter(({ code }) => code.includes('listen('))
    const file = (await runHere([node, '-p', 'Boolean(process.features.typescript)'], node)).startsWith(
      'true',
    )
      ? 'app.mts'
      : 'app.mjs'
    writeFileSync(path.join(folder, file), program?.code.replace('port: 3000', 'port: 0') ?? '')
    const running = await start([node, file], folder)
    const port = new URL(running.address).port
    // The commands look at an app that listens at the port of the running one.
    writeFileSync(path.join(folder, file), program?.code.replace('port: 3000', `port: ${port}`) ?? '')
    try {
      const steps = stepsOf(text)
      expect(steps.length).toBeGreaterThan(3)
      for (const [command, printed] of steps) {
        const typed = command.replaceAll('3000', port).replaceAll('app.mjs', file)
        const read = await runHere(['sh', '-c', typed], node)
        // The app prints its address.
        const own = read.replaceAll(/^http:\/\/127\.0\.0\.1:\d+\n/gm, '').trim()
        expect([typed, own]).toEqual([typed, printed.replaceAll('app.mjs', file)])
      }
    } finally {
      await running.stop()
    }
  })
})
