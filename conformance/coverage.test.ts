// The tables of evidence are true: no cell is empty, and each test that they name exists under that name.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

interface Row {
  readonly number: string
  readonly cells: readonly string[]
  readonly file: string
  readonly test: string
}

function readCells(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/**
 * Reads the rows of a page.
 *
 * @param first - what rows begin with
 * @param place - the column that has file and test
 */
function readRows(markdown: string, first: RegExp = /^\d/, place: number = 2): Row[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && first.test(line.slice(2)))
    .map((line) => {
      const cells = readCells(line)
      const [file = '', test = ''] = (cells[place] ?? '').split('<br>')
      return {
        number: cells[0] ?? '',
        cells,
        file: file.replaceAll('`', ''),
        test: test.replaceAll('&lt;', '<'),
      }
    })
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The quoted texts of a test file, as patterns: what is filled in at run time may be anything. */
function readTitles(source: string): RegExp[] {
  return [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].flatMap(
    (match) => {
      const parts = (match[1] ?? match[2] ?? match[3] ?? '')
        .replaceAll(/\\(.)/g, '$1')
        .split(/\$\{[^}]*\}|%[sdij]/)
      return parts.join('').trim().length < 8 ? [] : [new RegExp(`^${parts.map(escape).join('.+')}$`)]
    },
  )
}

/** The names of the cases of a corpus. */
function readCaseIds(source: string): RegExp[] {
  return [...source.matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => new RegExp(`^${escape(id)}$`))
}

/** What is wrong with the rows, said so that it can be mended. */
function findFaults(rows: readonly Row[], columns: number = 4): string[] {
  const titles = new Map<string, RegExp[]>()
  return rows.flatMap((row) => {
    if (row.cells.length !== columns || row.cells.includes('')) return [`${row.number}: a cell is empty`]
    const path = resolve(ROOT, row.file)
    if (!existsSync(path)) return [`${row.number}: there is no file ${row.file}`]
    const read = row.file.endsWith('.json') ? readCaseIds : readTitles
    const known = titles.get(row.file) ?? read(readFileSync(path, 'utf8'))
    titles.set(row.file, known)
    return known.some((title) => title.test(row.test))
      ? []
      : [`${row.number}: ${row.file} has no test "${row.test}"`]
  })
}

describe('docs/evidence/interface-coverage.md', () => {
  const rows = readRows(readFileSync(resolve(ROOT, 'docs/evidence/interface-coverage.md'), 'utf8'))

  it('holds well over a hundred statements, each once', () => {
    expect(rows.length).toBeGreaterThan(200)
    expect(new Set(rows.map((row) => row.number)).size).toBe(rows.length)
  })

  it('names tests that exist, and has no empty cell', () => {
    expect(findFaults(rows)).toEqual([])
  })

  it('would report a test that does not exist, a file that does not, and an empty cell', () => {
    const row = (place: string, decision: string): string => `| 1 | text | ${place} | ${decision} |`
    const planted = readRows(
      [
        row('`conformance/coverage.test.ts`<br>does not exist', 'as written'),
        row('`conformance/nowhere.test.ts`<br>x', 'as written'),
        row('`conformance/coverage.test.ts`<br>names tests that exist, and leaves no cell empty', ''),
      ].join('\n'),
    )
    expect(findFaults(planted)).toEqual([
      '1: conformance/coverage.test.ts has no test "does not exist"',
      '1: there is no file conformance/nowhere.test.ts',
      '1: a cell is empty',
    ])
  })
})

describe('docs/evidence/advisories.md', () => {
  const page = readFileSync(resolve(ROOT, 'docs/evidence/advisories.md'), 'utf8')
  const rows = readRows(page, /^(?:CVE|GHSA)-/, 5)

  it('has a row for each advisory', () => {
    expect(rows.length).toBeGreaterThan(60)
    const ids = rows.flatMap(({ number }) => number.split('<br>'))
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^(?:CVE-\d{4}-\d{4,6}|GHSA(?:-[2-9cfghjmpqrvwx]{4}){3})$/)
  })

  it('says when each was published, whether Cloister is affected, and which test shows it', () => {
    expect(findFaults(rows, 6)).toEqual([])
    for (const { number, cells } of rows) {
      expect([number, cells[1]]).toEqual([
        number,
        expect.stringMatching(/^20(?:1[89]|2\d)-(?:0[1-9]|1[0-2])$/),
      ])
      expect([number, cells[4]]).toEqual([
        number,
        expect.stringMatching(/^(?:not affected|bounded|affected|Node.s): /),
      ])
    }
  })
})
