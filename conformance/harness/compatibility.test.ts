// docs/compatibility.md names a test in every row: each must exist under that name.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** `| member | verdict | `file`: name of the test |` */
const ROW = /^\| (?<member>.+?) \| (?<verdict>.+?) \| `(?<file>[^`]+)`: (?<name>.+) \|$/

interface Row {
  member: string
  verdict: string
  file: string
  name: string
}

function readRows(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    const { member = '', verdict = '', file = '', name = '' } = ROW.exec(line)?.groups ?? {}
    return file === '' ? [] : [{ member, verdict, file, name: name.replace(/ …$/, '') }]
  })
}

function missingTests(rows: readonly Row[]): string[] {
  const sources = new Map<string, string>()
  return rows.flatMap(({ member, file, name }) => {
    const source = sources.get(file) ?? read(`conformance/${file}`)
    sources.set(file, source)
    return source.includes(name) ? [] : [`${member}: ${file} has no test "${name}"`]
  })
}

describe('the table of compatibility', () => {
  const rows = readRows(read('docs/compatibility.md'))

  it('has a row for each member of the documentation', () => {
    expect(rows.length).toBeGreaterThan(250)
  })

  it('names a test that exists in every row', () => {
    expect(missingTests(rows)).toEqual([])
  })

  it('says same, differs or ours in every row', () => {
    expect(rows.filter(({ verdict }) => !/^(same|differs|ours)\b/.test(verdict))).toEqual([])
  })

  it('would report a row whose test does not exist', () => {
    const planted = '| app.gone | same | `listen/listen.test.ts`: does what nobody wrote |'
    expect(missingTests(readRows(planted))).toEqual([
      'app.gone: listen/listen.test.ts has no test "does what nobody wrote"',
    ])
  })
})
