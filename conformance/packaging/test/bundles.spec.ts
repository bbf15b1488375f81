import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../../../packages', import.meta.url))

/** A command alone has no bundle. */
const bundled = readdirSync(packages).filter((name) =>
  existsSync(path.join(packages, name, 'dist', 'bundle')),
)

it('is there for every package but the commands', () => {
  const others = readdirSync(packages).filter((name) => !bundled.includes(name))
  expect(others).toEqual(['create-cloister', 'migrate'])
})

describe.each(bundled)('the bundle of %s', (name) => {
  const folder = path.join(packages, name, 'dist', 'bundle')
  const files = readdirSync(folder).filter((file) => file.endsWith('.cjs'))
  const code = readFileSync(path.join(folder, 'code.cjs'), 'utf8')

  it('has its code in one file, so that no part of it reaches another through getters', () => {
    for (const file of files) {
      const text = readFileSync(path.join(folder, file), 'utf8')
      expect([...text.matchAll(/require\("\.\/([^"]+)"\)/g)].map(([, target]) => target)).toEqual(
        file === 'code.cjs' ? [] : ['code.cjs'],
      )
    }
  })

  it('has no doc comments, which Node would have to read at every start', () => {
    expect(code).not.toMatch(/^\s*\/\*\*/m)
  })

  it('has one byte a character', () => {
    expect(code).toMatch(/^[\x00-\x7F]*$/)
  })
})
