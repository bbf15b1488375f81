import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compilerAdvice, compilerFor } from '../src/compiler.ts'

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'compiler-'))
  file = path.join(folder, 'app.ts')
})

const before = Object.getOwnPropertyDescriptor(process.features, 'typescript')
afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(process.features, 'typescript')
  else Object.defineProperty(process.features, 'typescript', before)
})

/** Makes this Node.js one that runs TypeScript, or one that doesn't. */
function runTypeScript(value: 'strip' | false): void {
  Object.defineProperty(process.features, 'typescript', { value, configurable: true })
}

async function installTsx(): Promise<void> {
  const tsx = path.join(folder, 'node_modules/tsx')
  await mkdir(tsx, { recursive: true })
  await writeFile(path.join(tsx, 'package.json'), '{ "exports": "./index.mjs" }')
  await writeFile(path.join(tsx, 'index.mjs'), '')
}

describe('the compiler of an app', () => {
  it.each(['strip', false] as const)(
    'is tsx if the project has it, where Node.js runs TypeScript: %s',
    async (runs) => {
      runTypeScript(runs)
      await installTsx()
      expect(compilerFor(file, [])).toMatch(/\/node_modules\/tsx\/index\.mjs$/)
    },
  )

  it('is Node.js without tsx, if it runs TypeScript', () => {
    runTypeScript('strip')
    expect(compilerFor(file, [])).toBeNull()
    runTypeScript(false)
    expect(() => compilerFor(file, [])).toThrow(/does not run TypeScript.*\n.*npm install --save-dev tsx/)
  })

  it('is the one that the command line imports', async () => {
    await installTsx()
    expect(compilerFor(file, ['--import', 'other'])).toBeNull()
  })

  it('is none for JavaScript', async () => {
    await installTsx()
    expect(compilerFor(path.join(folder, 'app.js'), [])).toBeNull()
  })
})

describe('an error of Node.js for TypeScript that has to be compiled', () => {
  const unsupported = Object.assign(new SyntaxError('enum'), { code: 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' })
  const missing = (name: string): Error => {
    const url = pathToFileURL(path.join(folder, name)).href
    return Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND', url })
  }

  it('says to install a compiler', () => {
    expect(compilerAdvice(file, unsupported)).toMatch(
      /only removes types .* \(npm install --save-dev tsx\), or write it in JavaScript\.$/,
    )
  })

  it('names the file that an import of JavaScript means', async () => {
    await writeFile(path.join(folder, 'users.ts'), '')
    expect(compilerAdvice(file, missing('users.js'))).toMatch(/, or import 'users\.ts'\.$/)
    expect(compilerAdvice(file, missing('other.js'))).toBe('')
  })

  it('has no advice if a compiler is there, or the app is JavaScript', async () => {
    expect(compilerAdvice(path.join(folder, 'app.js'), unsupported)).toBe('')
    await installTsx()
    expect(compilerAdvice(file, unsupported)).toBe('')
  })
})
