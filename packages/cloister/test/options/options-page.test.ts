import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

import { checkOptions } from '../../src/options/check-options.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const page = readFileSync(path.join(root, 'docs/options.md'), 'utf8')

interface Row {
  readonly names: readonly string[]
  readonly cells: readonly string[]
}

/** The rows of all tables below a heading. */
function rowsOf(heading: string): Row[] {
  const start = page.indexOf(`\n## ${heading}\n`)
  if (start === -1) throw new Error(`docs/options.md has no heading "${heading}"`)
  const end = page.indexOf('\n## ', start + 1)
  const lines = page.slice(start, end === -1 ? undefined : end).split('\n')
  return lines
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const cells = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim())
      const names = [...(cells[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
      return { names, cells }
    })
}

const namesIn = (heading: string): string[] => rowsOf(heading).flatMap(({ names }) => names)

/** The names that a source file lists as known, in its constant `KNOWN`. */
function knownNames(file: string): string[] {
  const source = readFileSync(path.join(root, 'packages/cloister/src', file), 'utf8')
  const list = /const KNOWN: readonly string\[\] = \(([^)]*)\)/.exec(source)?.[1] ?? ''
  return [...list.matchAll(/\w+/g)].map(([name]) => name)
}

describe('docs/options.md', () => {
  it('has a row with the right default for every option of the factory, and no other', () => {
    const documented = rowsOf('Factory').map(({ names: [name = ''], cells }) => [
      name,
      /`.*`/.exec(cells[1] ?? '')?.[0],
    ])
    const actual = Object.entries(checkOptions({})).map(([name, value]) => [
      name,
      `\`${JSON.stringify(value) ?? 'undefined'}\``,
    ])
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(actual))
    expect(documented).toHaveLength(actual.length)
  })

  it.each([['listen', 'transport/listen-options.ts']])(
    'has a row for every option of %s',
    (heading, file) => {
      const known = knownNames(file)
      expect(known.length).toBeGreaterThan(10)
      expect(known.filter((name) => !namesIn(heading).includes(name))).toEqual([])
    },
  )

  it('has no empty cell', () => {
    const rows = ['Factory', 'listen', 'Routes', 'register'].flatMap(rowsOf)
    expect(rows.filter(({ cells }) => cells.includes(''))).toEqual([])
  })
})
