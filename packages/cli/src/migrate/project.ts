import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'

import { isObject, listOf, objectOf } from '../diff/json.ts'
import type { Json } from '../diff/json.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import { readSources } from '../source-files.ts'
import { ALIAS, hasFastify, installCommand, managerOf, rewriteManifest } from './alias-manifest.ts'
import type { Manager } from './alias-manifest.ts'
import { rewriteImports } from './rewrite-imports.ts'

/** The file for `--undo`, with the contents before and after the move. */
const RECORD = '.cloister-migrate.json'
const BUILT = ['dist', 'build', 'out', 'vendor']
const git = promisify(execFile)
const require: RequireManifest = createRequire(import.meta.url)

/** `require`, with the type of this manifest. */
type RequireManifest = (name: '@cloister/cli/package.json') => {
  readonly peerDependencies: { readonly cloister: string }
}

interface Rewritten {
  readonly name: string
  /** `null` for a new file */
  readonly before: string | null
  readonly after: string
}

/** A project, and the files that the move writes. */
export interface Project {
  readonly manager: Manager
  /** The command that installs what the move writes. */
  readonly install: string
  readonly manifest: Json
  readonly files: readonly Rewritten[]
}

/** How a project is moved. */
export interface MoveOptions {
  /** Whether to use Cloister under its own name and rewrite the imports. */
  readonly native: boolean
  /** The alias for `fastify` in the manifest. */
  readonly alias?: string | undefined
}

/** Finds the package manager and the files to change; the root manifest gets the overrides. */
export async function readProject(folder: string, { native, alias = ALIAS }: MoveOptions): Promise<Project> {
  const manager = managerOf((lock) => existsSync(path.join(folder, lock)))
  const root = await readManifest(folder, 'package.json')
  if (root === null)
    throw new CommandError(3, `there is no package.json in ${folder}; run this at the root of the project\n`)
  const { workspaces } = root.manifest
  const patterns = [...listOf(workspaces), ...listOf(objectOf(workspaces)['packages'])].map(String)
  const names = patterns
    .flatMap((pattern) => expand(folder, pattern))
    .map((one) => path.posix.join(one, 'package.json'))
  const inner = await Promise.all(names.map((name) => readManifest(folder, name)))
  const using = inner.filter((one) => one !== null).filter(({ manifest }) => hasFastify(manifest))
  const isRoot = hasFastify(root.manifest)
  if (using.length === 0 && !isRoot) throw new CommandError(3, 'no package.json here depends on fastify\n')
  // `$fastify` names a dependency of the root, which the root of a workspace may not have.
  const overrides = !native && (isRoot || manager.name !== 'npm') ? manager.overrides(alias) : {}
  const dependency = native ? (['cloister', cloisterRange()] as const) : (['fastify', alias] as const)
  const manifests = [
    { name: root.name, before: root.text, after: rewriteManifest(root.text, { dependency, overrides }) },
    ...using.map(({ name, text }) => ({
      name,
      before: text,
      after: rewriteManifest(text, { dependency, overrides: {} }),
    })),
  ]
  const files = [...manifests, ...(native ? await rewriteSources(folder) : [])]
  const inside = using.map(({ name }) => path.posix.dirname(name))
  const install = native ? manager.install : installCommand(manager, alias, { isRoot, inside })
  return {
    manager,
    install,
    manifest: root.manifest,
    files: files.filter(({ before, after }) => before !== after),
  }
}

/** Returns the versions of Cloister that this command works with. */
export function cloisterRange(): string {
  return require('@cloister/cli/package.json').peerDependencies.cloister
}

async function rewriteSources(folder: string): Promise<Rewritten[]> {
  const sources = await readSources(folder, BUILT, true)
  return Promise.all(
    sources.map(async (file) => ({
      name: path.relative(folder, file.path),
      before: file.text,
      after: await rewriteImports(file, { fastify: 'cloister' }),
    })),
  )
}

/** Reads a manifest; returns `null` if there is none. */
export async function readManifest(
  folder: string,
  name: string,
): Promise<{ name: string; text: string; manifest: Json } | null> {
  const text = await readFile(path.join(folder, name), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return { name, text, manifest: objectOf(JSON.parse(text)) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(3, `${name} cannot be read: ${reason}\n`, error)
  }
}

/** Returns the folders for a workspace pattern: a folder, or `folder/*`. */
function expand(folder: string, pattern: string): string[] {
  if (!pattern.endsWith('/*')) return [pattern]
  const parent = pattern.slice(0, -2)
  if (!existsSync(path.join(folder, parent))) return []
  return readdirSync(path.join(folder, parent)).map((name) => path.posix.join(parent, name))
}

/** Throws if a project has uncommitted changes. */
export async function checkClean(folder: string): Promise<void> {
  const status = await git('git', ['status', '--porcelain'], { cwd: folder }).catch(() => null)
  const reason =
    status === null
      ? 'this is no git repository'
      : status.stdout === ''
        ? null
        : 'git has changes that are not committed'
  if (reason !== null) throw new CommandError(1, `${reason}: commit first, or use --force\n`)
}

/** Writes the files of the move, and the record for `--undo`. */
export async function writeMove(folder: string, { files }: Pick<Project, 'files'>): Promise<void> {
  const record = Object.fromEntries(files.map(({ name, before, after }) => [name, { before, after }]))
  await writeFile(path.join(folder, RECORD), JSON.stringify(record))
  for (const { name, after } of files) await writeFile(path.join(folder, name), after)
}

/** Restores the files from before the move. */
export async function undoMove({ folder, out }: Session, force: boolean): Promise<void> {
  const text = await readFile(path.join(folder, RECORD), 'utf8').catch(() => null)
  if (text === null) throw new CommandError(3, `there is no ${RECORD}: nothing was migrated here\n`)
  const record = Object.entries(objectOf(JSON.parse(text))).map(([name, one]) => ({ name, ...textsOf(one) }))
  for (const { name, after } of record) {
    const now = await readFile(path.join(folder, name), 'utf8').catch(() => '')
    if (now !== after && !force)
      throw new CommandError(1, `${name} has changed since; --force writes it as it was all the same\n`)
  }
  for (const { name, before } of record) {
    const file = path.join(folder, name)
    await (before === null ? rm(file, { force: true }) : writeFile(file, before))
  }
  await rm(path.join(folder, RECORD))
  out(`wrote ${record.map(({ name }) => name).join(', ')} as before; install again\n`)
}

function textsOf(value: unknown): { readonly before: string | null; readonly after: string } {
  const { before = '', after = '' } = isObject(value) ? value : {}
  return { before: before === null ? null : String(before), after: String(after) }
}
