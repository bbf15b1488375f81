import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { manifestOf } from './manifest.ts'
import { choose } from './parts.ts'
import type { PartName } from './parts.ts'

/** An error with a message for the user: the folder or the name cannot be used. */
export class ProjectError extends Error {}

export interface ProjectOptions {
  /** The folder to create; an existing one must be empty. */
  readonly folder: string
  /** The folder of the templates: `base`, and one for each part with files. */
  readonly template: string
  readonly parts: ReadonlySet<PartName>
  readonly version: string
}

/** Files that npm excludes from packages under their real names. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore', dockerignore: '.dockerignore' }

/** npm rejects names with other characters. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/

/**
 * Writes a new project, named after its folder.
 *
 * @returns the paths of its files, relative to the folder
 * @throws ProjectError when the folder has files, or its name is not a valid package name; nothing is written then
 */
export async function createProject({
  folder,
  template,
  parts,
  version,
}: ProjectOptions): Promise<readonly string[]> {
  const name = path.basename(folder)
  if (!NAME.test(name)) {
    throw new ProjectError(
      `'${name}' is no name for a package: use small letters, digits, '-', '_' and '.', as in my-api`,
    )
  }
  await checkEmpty(folder)
  const manifest = manifestOf(name, version, parts)
  const written = new Map([['package.json', `${JSON.stringify(manifest, null, 2)}\n`]])
  // The files of a part replace earlier ones.
  for (const layer of ['base', ...parts]) {
    for (const file of await filesOf(path.join(template, layer))) {
      const text = await readFile(path.join(template, layer, file), 'utf8')
      written.set(RENAMED[file] ?? file, choose(text, parts).replaceAll('{{name}}', name))
    }
  }
  for (const [file, text] of written) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true })
    await writeFile(path.join(folder, file), text, { flag: 'wx' })
  }
  return [...written.keys()].toSorted()
}

/** A new git repository counts as empty. */
async function checkEmpty(folder: string): Promise<void> {
  const names = await entriesOf(folder)
  const foreign = names.filter((name) => name !== '.git')
  if (foreign.length === 0) return
  throw new ProjectError(`${folder} has files (${foreign.slice(0, 3).join(', ')}); give a new folder`)
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new ProjectError(`${folder} is a file; give a new folder`)
    throw error
  }
}

async function filesOf(layer: string): Promise<readonly string[]> {
  const entries = await readdir(layer, { withFileTypes: true, recursive: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(layer, path.join(entry.parentPath, entry.name)))
}
