// The skill for coding assistants: it has front matter, is short and packaged, and the gate `docs` runs its code.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { llms } from '../../site/llms.mjs'
import { blocksOfMarkdown } from '../lib/code-blocks.mjs'
import { repository } from '../lib/run.mjs'

const FILE = 'packages/cloister/SKILL.md'
const text = readFileSync(path.join(repository, FILE), 'utf8')

it('has a name and a description that an assistant chooses it by', () => {
  const [, name, description = ''] = /^---\nname: ([a-z-]+)\ndescription: (.+)\n---\n/.exec(text) ?? []
  expect(name).toBe('cloister')
  expect(description.length).toBeGreaterThan(50)
  expect(description.length).toBeLessThan(1024)
})

it('is short, and all of its code is run', () => {
  expect(text.split('\n').length).toBeLessThan(250)
  const blocks = blocksOfMarkdown(FILE, text)
  expect(blocks.length).toBeGreaterThan(4)
  expect(blocks.map(({ mode }) => mode)).toEqual(blocks.map(() => 'run'))
})

it('is in the package, and the first page of llms.txt', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(path.join(repository, 'packages/cloister/package.json'), 'utf8'),
  )
  expect(manifest).toMatchObject({ files: expect.arrayContaining(['SKILL.md']) })
  const table = new Map([
    ['docs/guide/hooks.md', 'guide/hooks.md'],
    [FILE, 'skill.md'],
  ])
  const { short, full } = llms(table, '# Cloister\n\nA framework.\n')
  expect(/^- .+$/m.exec(short)?.[0]).toMatch(/^- \[.+\]\(\/skill\): .*`SKILL\.md`/)
  expect(full).toContain('# Write an app with Cloister')
})
