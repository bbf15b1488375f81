import { readFile } from 'node:fs/promises'

import { describe, expect, it } from 'vitest'

import { loosened, replaceAlias } from './loosen.ts'
import { mutations } from './mutations.ts'

describe('a type that is loosened', () => {
  it.each(mutations)('is in its file: $file, $target', async (mutation) => {
    const source = await readFile(new URL(`../../src/types/${mutation.file}`, import.meta.url), 'utf8')
    expect(loosened(source, mutation)).not.toBe(source)
  })

  it('is replaced whole, however its declaration is laid out', () => {
    const source = 'export type A<T = {}> = T extends 1\n  ? 2\n  : 3\nexport type B = 1\n'
    expect(replaceAlias(source, 'A', 'any')).toBe('export type A<T = {}> = any\n\nexport type B = 1\n')
  })
})
