import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { mutations } from './mutations.ts'
import { compile } from './compile.ts'
import { loosen, replaceAlias } from './loosen.ts'

const suite = fileURLToPath(new URL('../../test-d/', import.meta.url))

describe('the type tests', () => {
  it('compile without a problem', { timeout: 120_000 }, async () => {
    const { problems } = await compile(`${suite}tsconfig.json`)
    // Problems elsewhere in the sources are the build's to report.
    expect(problems.filter((line) => /\/(test-d|src\/types)\//.test(line))).toEqual([])
  })

  it(
    'compile with plugins as they are published, under the name that they import',
    { timeout: 120_000 },
    async () => {
      const { problems } = await compile(`${suite}alias/tsconfig.json`)
      expect(problems.filter((line) => /\/(test-d|src\/types)\//.test(line))).toEqual([])
    },
  )

  it('say what must hold in at least sixty sentences, none twice in a file', async () => {
    const files = (await readdir(suite)).filter((name) => name.endsWith('.test-d.ts'))
    const sentences = await Promise.all(
      files.map(async (name) => {
        const source = await readFile(suite + name, 'utf8')
        const found = [...source.matchAll(/^it\((['"`])(.+)\1,/gm)].map(([, , sentence]) => sentence)
        expect(new Set(found).size, name).toBe(found.length)
        return found
      }),
    )
    expect(sentences.flat().length).toBeGreaterThanOrEqual(60)
  })
})

describe('a type that is loosened', () => {
  it.concurrent.each(
    mutations.map((mutation, index) => ({ mutation, name: titleOf(mutation), folder: String(index) })),
  )('is seen by the type tests: $name', { timeout: 120_000 }, async ({ mutation, folder }) => {
    const project = await loosen(mutation, folder)
    const { problems } = await compile(project)
    expect(problems.filter((line) => line.includes('.test-d.ts'))).not.toEqual([])
    await rm(path.dirname(project), { recursive: true })
  })

  it('is replaced whole, however its declaration is laid out', () => {
    const source = 'export type A<T = {}> = T extends 1\n  ? 2\n  : 3\nexport type B = 1\n'
    expect(replaceAlias(source, 'A', 'any')).toBe('export type A<T = {}> = any\n\nexport type B = 1\n')
  })
})

function titleOf({ file, target, by }: (typeof mutations)[number]): string {
  const what = 'alias' in target ? target.alias : target.text.split('\n')[0]
  return `${file}, ${what} as ${by.split('\n')[0]}`
}
