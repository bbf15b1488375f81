// Where two names do the same, documents for users have one of them in their code.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { blocksOfMarkdown } from '../lib/code-blocks.mjs'
import { trackedFiles } from '../lib/files.mjs'
import { repository } from '../lib/run.mjs'

const FOR_USERS = /^(?:README\.md|docs\/(?!adr\/|evidence\/).*\.md|packages\/[^/]+\/(?:README|SKILL)\.md)$/

interface Twin {
  readonly code: RegExp
  readonly instead: string
  /** The pages that are about the other name. */
  readonly pages: readonly string[]
}

const TWINS: readonly Twin[] = [
  {
    code: /from '@cloister\/plugin'|require\('@cloister\/plugin'\)/,
    instead: "definePlugin of 'cloister'",
    pages: ['packages/plugin/README.md'],
  },
  { code: /\.route\(\{[^}]*?\bpath: /, instead: 'url', pages: [] },
  {
    code: /import (?:fastify|\{[^}]*\bfastify\b[^}]*\}) from 'cloister'/i,
    instead: "import { cloister } from 'cloister'",
    pages: ['docs/migrating.md', 'docs/compatibility.md', 'docs/why/fastify-5.md'],
  },
]

const blocks = trackedFiles(repository)
  .filter((file) => FOR_USERS.test(file))
  .flatMap((file) => blocksOfMarkdown(file, readFileSync(path.join(repository, file), 'utf8')))

it.each(TWINS)('the code of documents has $instead', ({ code, pages }) => {
  const found = blocks.filter((block) => code.test(block.code) && !pages.includes(block.file))
  expect(blocks.length).toBeGreaterThan(100)
  expect(found.map(({ file, line }) => `${file}:${line}`)).toEqual([])
})

it.each([
  ["import { plugin } from '@cloister/plugin'", 0],
  ["app.route({ method: 'GET', path: '/a' })", 1],
  ["import Fastify from 'cloister'", 2],
  ["import { fastify } from 'cloister'", 2],
])('%s would be found', (code, index) => {
  expect(TWINS[index]?.code.test(code)).toBe(true)
})
