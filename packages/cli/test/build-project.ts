// Projects in folders of their own, which tests of `cloister build` build.
import { execFile } from 'node:child_process'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../../../scripts/lib/build.mjs'

export const bin = fileURLToPath(new URL('../dist/main.js', import.meta.url))
export const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
export const SLOW = 240_000

/** Builds the packages, and makes a folder for projects. */
export async function createRoot(): Promise<string> {
  await build()
  return mkdtemp(path.join(tmpdir(), 'cloister-build-test-'))
}

/** Makes the folder of a project with an app. */
export async function createProject(root: string, app: string, hasModules = true): Promise<string> {
  const folder = await mkdtemp(path.join(root, 'app-'))
  if (hasModules) await symlink(modules, path.join(folder, 'node_modules'))
  await writeFile(path.join(folder, 'app.mjs'), app)
  return folder
}

export interface Ended {
  readonly code: unknown
  readonly out: string
  readonly err: string
}

export function run(folder: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd: folder }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out, err }),
    )
  })
}

export const command = (folder: string, ...args: string[]): Promise<Ended> =>
  run(folder, [bin, 'build', ...args])
