import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'

import {
  ALIAS,
  CommandError,
  installCommand,
  isObject,
  listOf,
  managerOf,
  objectOf,
  readSources,
} from '@cloister/cli/internal'
import type { Json, Manager, Session } from '@cloister/cli/internal'
import { bringsFastify, hasFastify, rewriteManifest } from './alias-manifest.ts'
import {
  overridePlaces,
  PNPM_WORKSPACE,
  pnpmMajor,
  readPnpmWorkspace,
  withOverride,
} from './pnpm-workspace.ts'
import { rewriteImports } from './rewrite-imports.ts'
import { workspaceManifests } from './workspaces.ts'

/** The file for `--undo`, with the contents before and after the move. */
const RECORD = '.cloister-migrate.json'
const BUILT = ['dist', 'build', 'out', 'vendor']
const git = promisify(execFile)
const require: RequireManifest = createRequire(import.meta.url)

/** `require`, with the type of the manifest of the CLI, which has the same version. */
type RequireManifest = (name: '@cloister/cli/package.json') => {
  readonly peerDependencies: { readonly cloister: string }
}

interface Rewritten {
  readonly name: string
  /** `null` for a new file */
  readonly before: string | null
  readonly after: string
}

interface Manifest {
  readonly name: string
  readonly text: string
  readonly manifest: Json
}

/** A project, and the files that the move writes. */
export interface Project {
  readonly manager: Manager
  /** The folders whose manifests depend on Fastify; `.` is the root. */
  readonly users: readonly string[]
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
  const above = await workspaceAbove(folder)
  if (above !== null)
    throw new CommandError(3, `${folder} belongs to the workspace in ${above}; run this there\n`)
  const pnpm = await readPnpmWorkspace(folder)
  const names = workspaceManifests(folder, [...patternsOf(root.manifest), ...pnpm.patterns])
  const inner = (await Promise.all(names.map((name) => readManifest(folder, name)))).filter(
    (one) => one !== null,
  )
  const uses = ({ manifest }: { readonly manifest: Json }): boolean =>
    hasFastify(manifest) || (!native && bringsFastify(manifest))
  const using = inner.filter(uses)
  const isRoot = uses(root)
  if (using.length === 0 && !isRoot) throw new CommandError(3, noFastify(names, native))
  const places =
    manager.name === 'pnpm'
      ? overridePlaces(await pnpmMajor(folder, root.manifest))
      : { manifest: true, workspace: false }
  // `$fastify` names a dependency of the root, which the root of a workspace may not have.
  const isOverridden = !native && places.manifest && (isRoot || manager.name !== 'npm')
  const dependency = native ? (['cloister', cloisterRange()] as const) : (['fastify', alias] as const)
  // Only npm needs the dependency itself for its override; for others, the override moves what a framework brings.
  const rewrite = ({ name, text, manifest }: Manifest, overrides: Json): Rewritten => {
    const adds = manager.name === 'npm' && !native && bringsFastify(manifest)
    return { name, before: text, after: rewriteManifest(text, { dependency, overrides, adds }) }
  }
  const files: readonly Rewritten[] = [
    rewrite(root, isOverridden ? manager.overrides(alias) : {}),
    ...using.map((one) => rewrite(one, {})),
    ...(places.workspace && !native
      ? [{ name: PNPM_WORKSPACE, before: pnpm.text, after: await withOverride(pnpm, alias) }]
      : []),
    ...(native ? await rewriteSources(folder) : []),
  ]
  const inside = using.map(({ name }) => path.posix.dirname(name))
  const users = [...(isRoot ? ['.'] : []), ...inside]
  const install = native ? manager.install : installCommand(manager, alias, { isRoot, inside })
  return {
    manager,
    users,
    install,
    manifest: root.manifest,
    files: files.filter(({ before, after }) => before !== after),
  }
}

/** Returns the patterns of the workspace in a manifest. */
function patternsOf({ workspaces }: Json): string[] {
  return [...listOf(workspaces), ...listOf(objectOf(workspaces)['packages'])].map(String)
}

/** Returns the folder of the workspace that a folder belongs to, which has its lock file; `null` if there is none. */
async function workspaceAbove(folder: string): Promise<string | null> {
  const member = path.resolve(folder)
  for (let above = path.dirname(member); above !== path.dirname(above); above = path.dirname(above)) {
    const manifest = await readManifest(above, 'package.json').catch(() => null)
    if (manifest === null) continue
    const { patterns } = await readPnpmWorkspace(above)
    const names = workspaceManifests(above, [...patternsOf(manifest.manifest), ...patterns])
    const name = path.relative(above, path.join(member, 'package.json')).split(path.sep).join('/')
    if (names.includes(name)) return above
  }
  return null
}

/** Says that no manifest depends on Fastify, and which were read. */
function noFastify(names: readonly string[], native: boolean): string {
  const read = ['package.json', ...names].join(', ')
  const others = native ? '' : ', nor on @nestjs/platform-fastify'
  return `no package.json here depends on fastify${others} (read: ${read})\n`
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
      after: await rewriteImports(file),
    })),
  )
}

/** Reads a manifest; returns `null` if there is none. */
export async function readManifest(folder: string, name: string): Promise<Manifest | null> {
  const text = await readFile(path.join(folder, name), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return { name, text, manifest: objectOf(JSON.parse(text)) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(3, `${name} cannot be read: ${reason}\n`, error)
  }
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
