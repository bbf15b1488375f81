import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../src/run.ts'

let folder: string
const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), text)
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cli-migrate-'))
  const exports = { './internal': './internal.js' }
  write('node_modules/@cloister/migrate/package.json', JSON.stringify({ type: 'module', exports }))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

// What the command says without the package is in cli.test.ts, because here the workspace always has it.
describe('cloister migrate', () => {
  it('runs the package of the project, with all arguments, its outputs and its exit code', async () => {
    write(
      'node_modules/@cloister/migrate/internal.js',
      `export async function migrate({ folder, out, err }, args) {
  out(JSON.stringify({ folder, args }))
  err('a warning')
  return 1
}
`,
    )
    const args = ['--from', 'express', '--app', 'my app.js', '--no-proof', '--help']
    const { code, output, errors } = await run(['migrate', ...args], folder)
    expect({ code, errors }).toEqual({ code: 1, errors: 'a warning' })
    expect(JSON.parse(output)).toEqual({ folder, args })
  })

  it('names the file of a package that has no such function', async () => {
    write('node_modules/@cloister/migrate/internal.js', 'export const other = 1\n')
    const { code, errors } = await run(['migrate'], folder)
    expect(code).toBe(3)
    expect(errors).toMatch(
      /^cloister: \/.*internal\.js has no function migrate: install @cloister\/migrate again\n$/,
    )
  })
})
