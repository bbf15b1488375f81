import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { run } from '../../../scripts/lib/run.mjs'

const packaging = path.resolve(import.meta.dirname, '..')

/** The Node programs that are tried: those that `PACKAGING_NODES` lists as on a path, or the one that runs this. */
export const nodes: readonly string[] = process.env['PACKAGING_NODES']?.split(path.delimiter) ?? [
  process.execPath,
]

/** A user's project in a folder of its own, with the packed packages. */
export interface Project {
  readonly folder: string
  /** Runs a command there; its output, or an error with the output when it fails. */
  run(command: readonly string[], env?: Record<string, string>): Promise<string>
  remove(): void
}

/**
 * Makes a project.
 *
 * @param tools - the folder with a manifest and a lock file of what is installed beside the packages
 * @param fixture - the folder whose files are copied
 */
export async function createProject(tools: string | null, fixture: string): Promise<Project> {
  const folder = mkdtempSync(path.join(tmpdir(), 'project-'))
  const project: Project = {
    folder,
    run: async (command, env = {}) => {
      const { code, output } = await run(command, { cwd: folder, env, timeoutMs: 240_000 })
      if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`)
      return output
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  if (tools !== null) {
    for (const name of ['package.json', 'package-lock.json']) {
      cpSync(path.join(packaging, tools, name), path.join(folder, name))
    }
  }
  // Not `npm ci`, which wants the binaries of every platform in the lock file.
  await project.run(['npm', 'install', '--no-save', ...quiet, ...inject('tarballs').map(asInstalled)])
  cpSync(path.join(packaging, 'fixtures', fixture), folder, { recursive: true })
  return project
}

/** The package for the name `fastify` is installed as its users install it. */
function asInstalled(tarball: string): string {
  return path.basename(tarball).startsWith('cloister-fastify-') ? `fastify@file:${tarball}` : tarball
}
