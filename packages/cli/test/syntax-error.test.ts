import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printError } from '../src/print-error.ts'
import { addPlace, placeOf } from '../src/syntax-error.ts'

const MESSAGE = 'missing ) after argument list'
const FILES = {
  'app.mjs': "import './routes.mjs'\nimport './gone.mjs'\n",
  'routes.mjs': "export * from './pages.cjs'\nawait import('./users.mjs')\n",
  'pages.cjs': 'return\n',
  'users.mjs': 'export const users = 1\nusers.map((one) => one\n',
  'alone.mjs': "import './pages.cjs'\n",
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cli-syntax-'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(folder, name), text)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A syntax error as Node.js throws it for an ES module. */
function syntaxError(message: string, head = ''): SyntaxError {
  const error = new SyntaxError(message)
  error.stack = `${head}SyntaxError: ${message}\n    at compile (node:internal/modules/esm/utils:346:16)`
  return error
}

describe('a syntax error in an ES module', () => {
  it('gets the file, the line and the code, also of a file that the app imports', async () => {
    const error = syntaxError(MESSAGE)
    expect(placeOf(error)).toBeNull()
    await addPlace(error, path.join(folder, 'app.mjs'))
    const users = path.join(folder, 'users.mjs')
    const lines = printError(error).split('\n')
    expect(lines[2]).toMatch(/^ *\^+$/)
    expect(lines.toSpliced(2, 1)).toEqual([`${users}:2`, 'users.map((one) => one', `SyntaxError: ${MESSAGE}`])
    expect(placeOf(error)).toBe(`${users}:2`)
  })

  it.each([
    ['open.mjs', 'export const open = {\n  a: 1,\n\n', 2, '  a: 1,', '       ^'],
    ['twice.ts', 'let a: number\nlet a = 2\n', 1, 'let a: number', '    ^'],
    ['type.ts', 'const a: = 1\n', 1, 'const a: = 1', '         ^'],
  ])(
    'gets them where the file ends too early, and in TypeScript: %s',
    async (name, text, line, code, mark) => {
      const file = path.join(folder, name)
      await writeFile(file, text)
      await writeFile(path.join(folder, 'entry.mjs'), `import './${name.replace(/\.ts$/, '.js')}'\n`)
      const error = syntaxError('Unexpected end of input')
      await addPlace(error, path.join(folder, 'entry.mjs'))
      expect(printError(error).split('\n').slice(0, 3)).toEqual([`${file}:${line}`, code, mark])
    },
  )

  it('keeps its stack where no file of the app has this error', async () => {
    const error = syntaxError(MESSAGE)
    await addPlace(error, path.join(folder, 'alone.mjs'))
    expect(printError(error)).toBe(`SyntaxError: ${MESSAGE}`)
  })

  it('keeps the file and line that it has', async () => {
    const head = `${path.join(folder, 'pages.cjs')}:1\nreturn\n^\n\n`
    const error = syntaxError(MESSAGE, head)
    await addPlace(error, path.join(folder, 'app.mjs'))
    expect(error.stack).toMatch(/pages\.cjs:1\nreturn\n\^\n\nSyntaxError/)
    expect(error.stack).not.toContain('users.mjs')
    expect(placeOf(error)).toBe(path.join(folder, 'pages.cjs:1'))
  })
})
