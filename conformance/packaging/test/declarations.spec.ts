import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'

const FILES = ['alias.mts', 'own.mts', 'required.cts']
const COMPILERS = ['typescript5', 'typescript6', 'typescript']
const HOW =
  '--declaration --emitDeclarationOnly --strict --skipLibCheck --target es2022 --module nodenext --types node'.split(
    ' ',
  )
/** What a project names itself; a nested installation has all else below a folder of its own. */
const OWN = ['fastify', 'cloister', '@cloister']
const BELOW = [
  'pino',
  'pino-std-serializers',
  'sonic-boom',
  'find-my-way',
  'light-my-request',
  'ajv',
  'ws',
  '@types/ws',
]

/** Moves what the packages depend on to where only they find it, as pnpm installs them. */
function nest(folder: string): void {
  const modules = path.join(folder, 'node_modules')
  const below = path.join(modules, '.store/cloister/node_modules')
  mkdirSync(path.join(below, '@types'), { recursive: true })
  for (const name of [...OWN, ...BELOW]) {
    if (existsSync(path.join(modules, name))) renameSync(path.join(modules, name), path.join(below, name))
  }
  for (const name of OWN) symlinkSync(path.join(below, name), path.join(modules, name))
}

describe('the declarations of modules that export what the framework returns', () => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('bundlers', 'declarations')
  })
  afterAll(() => project.remove())

  const emit = (compiler: string): Promise<string> =>
    project.run([
      process.execPath,
      `node_modules/${compiler}/bin/tsc`,
      ...FILES,
      ...HOW,
      '--outDir',
      `out-${compiler}`,
    ])

  it.each(COMPILERS)('can be written: hoisted, %s', async (compiler) => {
    expect(await emit(compiler)).toBe('')
    for (const file of ['alias.d.mts', 'own.d.mts', 'required.d.cts']) {
      expect(existsSync(path.join(project.folder, `out-${compiler}`, file))).toBe(true)
    }
  })

  it('can be read where they are published', async () => {
    const files = COMPILERS.flatMap((compiler) => [
      `out-${compiler}/alias.d.mts`,
      `out-${compiler}/own.d.mts`,
    ])
    const how = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node']
    const tsc = [process.execPath, 'node_modules/typescript/bin/tsc']
    expect(await project.run([...tsc, ...files, ...how])).toBe('')
  })

  it('can be written: nested, as pnpm installs', async () => {
    nest(project.folder)
    for (const compiler of COMPILERS) expect(await emit(compiler)).toBe('')
  })
})
