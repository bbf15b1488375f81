import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { blocksOfMarkdown } from '../../../scripts/lib/code-blocks.mjs'
import { repository, run } from '../../../scripts/lib/run.mjs'
import { nodes } from '../lib/project.ts'
import { start } from '../lib/start.ts'

/** The pages, with a request to their program and the payload of its response. */
const PAGES = [
  { page: 'README.md', url: '/?name=Ada', payload: { hello: 'Ada' } },
  { page: 'packages/cloister/README.md', url: '/?name=Ada', payload: { hello: 'Ada' } },
  { page: 'docs/guide/getting-started.md', url: '/hello', payload: { hello: 'world' } },
]
const folder = mkdtempSync(path.join(tmpdir(), 'readme-'))

async function runHere(command: readonly string[]): Promise<string> {
  const { code, output } = await run(command, { cwd: folder, timeoutMs: 240_000 })
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`)
  return output
}

/** The first program of a page, as printed but for its port, which may be in use here. */
function programOf(page: string): string {
  const file = path.join(repository, page)
  const [block] = blocksOfMarkdown(file, readFileSync(file, 'utf8')).filter(({ code }) =>
    code.includes('listen('),
  )
  if (block === undefined) throw new Error(`${page} has no program`)
  return block.code.replace('port: 3000', 'port: 0')
}

/** Whether a Node runs TypeScript without a build: 22.18, 24 and later. */
async function readsTypes(node: string): Promise<boolean> {
  return (await runHere([node, '-p', 'Boolean(process.features.typescript)'])).trim() === 'true'
}

describe('the first program of a page, in a folder after npm init -y', () => {
  beforeAll(async () => {
    await runHere(['npm', 'init', '-y'])
    const packed = inject('tarballs').filter((file) =>
      /^cloister-(?:schema-|wire-)?\d/.test(path.basename(file)),
    )
    expect(packed).toHaveLength(3)
    await runHere(['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...packed])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const cases = PAGES.flatMap((given) => nodes.map((node) => ({ ...given, node })))
  it.each(cases)('runs and responds: $page on $node', async ({ page, url, payload, node }) => {
    for (const file of (await readsTypes(node)) ? ['app.mjs', 'app.mts'] : ['app.mjs']) {
      writeFileSync(path.join(folder, file), programOf(page))
      const running = await start([node, file], folder)
      try {
        const response = await fetch(`${running.address}${url}`)
        expect([response.status, await response.json()]).toEqual([200, payload])
      } finally {
        await running.stop()
      }
    }
  })
})
