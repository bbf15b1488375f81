// The skill for coding assistants: it has front matter, is short and packaged, and the gate `docs` runs its code.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { llms } from '../../site/llms.mjs'
import { blocksOfMarkdown } from '../lib/code-blocks.mjs'
import { trackedFiles } from '../lib/files.mjs'
import { repository, run } from '../lib/run.mjs'

const FILE = 'packages/cloister/SKILL.md'
const CLI = path.join(repository, 'packages/cli/dist/main.js')
const text = readFileSync(path.join(repository, FILE), 'utf8')

it('has a name and a description that an assistant chooses it by', () => {
  const [, name, description = ''] = /^---\nname: ([a-z-]+)\ndescription: (.+)\n---\n/.exec(text) ?? []
  expect(name).toBe('cloister')
  expect(description.length).toBeGreaterThan(50)
  expect(description.length).toBeLessThan(1024)
})

it('is short, and all of its code is run', () => {
  expect(text.split('\n').length).toBeLessThan(400)
  const blocks = blocksOfMarkdown(FILE, text)
  expect(blocks.length).toBeGreaterThan(4)
  expect(blocks.map(({ mode }) => mode)).toEqual(blocks.map(() => 'run'))
})

const prose = text.replaceAll(/^```[^]*?^```$/gm, '')

it('names exports that exist where it shows no code', async () => {
  const imports = [...prose.matchAll(/`import \{ (\w+) \} from '([^']+)'`/g)]
  expect(imports.length).toBeGreaterThan(2)
  const script = imports.map(([, name, from]) => `import { ${name} as _${name} } from '${from}'\n`).join('')
  expect(await run([process.execPath, '--input-type=module', '-e', script])).toEqual({ code: 0, output: '' })
})

it('names commands and flags that exist', { timeout: 120_000 }, async () => {
  const found = [...prose.matchAll(/`(?:npx )?cloister ([a-z]+)\b[^`]*`/g)]
  const commands = new Set(found.map(([, command = '']) => command))
  expect(commands.size).toBeGreaterThan(2)
  for (const command of commands) {
    const { output } = await run([process.execPath, CLI, command, '--help'])
    expect(output).toContain(`cloister ${command}`)
    const places = found.filter(([, name]) => name === command).map(([place]) => place)
    for (const [flag] of places.join(' ').matchAll(/--[a-z]+/g)) expect(output).toContain(`${flag} `)
  }
})

/** The pages, by their sources. */
const pages = () =>
  new Map(
    trackedFiles(repository)
      .filter((file) => /^docs\/(?!adr\/).+\.md$|^packages\/[^/]+\/(?:README|SKILL)\.md$/.test(file))
      .map((file) => [file, file === FILE ? 'skill.md' : file.replace('docs/', '')]),
  )

it('is in the package, and the first page of llms.txt', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(path.join(repository, 'packages/cloister/package.json'), 'utf8'),
  )
  expect(manifest).toMatchObject({ files: expect.arrayContaining(['SKILL.md']) })
  const { short, full } = llms(pages(), '# Cloister\n\nA framework.\n')
  expect(/^- \[.+$/m.exec(short)?.[0]).toMatch(/^- \[Write an app with Cloister\]\(\/skill\): .+/)
  expect(full).toContain('# Write an app with Cloister')
  expect(llms(pages(), '', '/docs/').short).toContain('](/docs/skill): ')
})

it('stands in an llms.txt whose pages each have a whole sentence', () => {
  const { short } = llms(pages(), '# Cloister\n\nA framework.\n')
  const lines = short.split('\n').filter((line) => line.startsWith('- ['))
  expect(lines.length).toBeGreaterThan(70)
  for (const line of lines) {
    expect(line).toMatch(/: .{10,}[.]$/)
    expect(line.split('`').length % 2, line).toBe(1)
  }
  const headings = [...short.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual([
    'For coding assistants',
    'Guide',
    'Recipes',
    'Reference',
    'Why Cloister',
    'Packages',
  ])
})
