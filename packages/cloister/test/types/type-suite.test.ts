import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { compile } from './compile.ts'

const suite = fileURLToPath(new URL('../../test-d/', import.meta.url))

describe('the type tests', () => {
  it('compile without a problem', async () => {
    const { problems } = await compile(`${suite}tsconfig.json`)
    // Problems elsewhere in the sources are the build's to report.
    expect(problems.filter((line) => /\/(test-d|src\/types)\//.test(line))).toEqual([])
  })

  it('compile with plugins as they are published, under the name that they import', async () => {
    const { problems } = await compile(`${suite}alias/tsconfig.json`)
    expect(problems.filter((line) => /\/(test-d|src\/types)\//.test(line))).toEqual([])
  })

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
