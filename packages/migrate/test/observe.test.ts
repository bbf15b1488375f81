// A project may be a package of a workspace, whose tools are in a folder above.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkTypes, tsLoader } from '../src/observe.ts'

let workspace: string
let folder: string
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'cli-observe-'))
  folder = path.join(workspace, 'packages/api')
  for (const name of [folder, path.join(workspace, 'node_modules/tsx')]) mkdirSync(name, { recursive: true })
  writeFileSync(path.join(folder, 'tsconfig.json'), '{ "files": ["app.ts"] }')
  writeFileSync(path.join(folder, 'app.ts'), 'export const port: number = "3000"\n')
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

it('checks the types with the compiler of the workspace', async () => {
  const typescript = fileURLToPath(new URL('../../../node_modules/typescript', import.meta.url))
  symlinkSync(typescript, path.join(workspace, 'node_modules/typescript'))
  expect(await checkTypes(folder)).toEqual([
    { callSite: 'app.ts:1', message: expect.stringContaining('TS2322') },
  ])
})

it('checks no types without a compiler', async () => {
  expect(await checkTypes(folder)).toBeNull()
})

it('runs TypeScript by the loader of the workspace, if it has one', () => {
  expect(tsLoader(folder)).toBe('')
  writeFileSync(path.join(workspace, 'node_modules/tsx/index.js'), '')
  expect(tsLoader(folder)).toMatch(/^--import "file:.+\/node_modules\/tsx\/index\.js" $/)
})
