import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

import type { Program } from '../command-line.ts'
import { isObject, listOf, objectOf } from '../diff/json.ts'
import type { Json } from '../diff/json.ts'
import { aliasManifest, hasFastify, MANAGERS } from '../migrate/alias-manifest.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'

/** What `--undo` needs: the manifests as they were and as they were written. */
const RECORD = '.cloister-migrate.json'
const git = promisify(execFile)

/** Adds `cloister migrate`: a project of Fastify gets Cloister under the name `fastify`. */
export function addMigrate(program: Program, session: Session): void {
  program
    .command('migrate')
    .description('install Cloister under the name fastify: rewrites package.json, and nothing else')
    .option('--dry-run', 'print what would be written')
    .option('--undo', 'write the manifests as they were')
    .option('--force', 'also where git has changes that are not committed')
    .action(async ({ dryRun = false, undo = false, force = false }) => {
      if (undo) return undoIn(session, force)
      const { manager, manifests } = await readProject(session.folder)
      const record = Object.fromEntries(manifests.map(({ name, before, after }) => [name, { before, after }]))
      session.out(
        `${manager}, ${manifests.map(({ name }) => name).join(', ')}: fastify becomes npm:@cloister/fastify\n`,
      )
      if (dryRun) {
        session.out(manifests.map(({ name, after }) => `\n${name}\n${after}`).join(''))
        return
      }
      if (!force) await checkClean(session.folder)
      await writeFile(path.join(session.folder, RECORD), JSON.stringify(record))
      for (const { name, after } of manifests) await writeFile(path.join(session.folder, name), after)
      session.out(
        `next: ${manager} install, then your tests; npx cloister doctor lists code that behaves differently\nback: npx cloister migrate --undo, then ${manager} install\n`,
      )
    })
}

interface Manifest {
  /** Its path in the project. */
  readonly name: string
  readonly before: string
  readonly after: string
}

/** Finds the package manager and the manifests that depend on Fastify; that at the root gets the overrides. */
async function readProject(folder: string): Promise<{ manager: string; manifests: readonly Manifest[] }> {
  const found = MANAGERS.find(({ lock }) => existsSync(path.join(folder, lock)))
  const { name: manager, overrides } = found ?? {
    name: 'npm',
    overrides: { overrides: { fastify: '$fastify' } },
  }
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
  if (using.length === 0 && !hasFastify(root.manifest)) {
    throw new CommandError(3, 'no package.json here depends on fastify\n')
  }
  // `$fastify` names a dependency of the root, which a root of workspaces may not have.
  const own = hasFastify(root.manifest) || manager !== 'npm' ? overrides : {}
  const manifests = [
    { name: root.name, before: root.text, after: aliasManifest(root.text, own) },
    ...using.map(({ name, text }) => ({ name, before: text, after: aliasManifest(text, {}) })),
  ]
  return { manager, manifests: manifests.filter(({ before, after }) => before !== after) }
}

async function readManifest(
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

/** The folders of a pattern for workspaces: a folder, or `folder/*`. */
function expand(folder: string, pattern: string): string[] {
  if (!pattern.endsWith('/*')) return [pattern]
  const parent = pattern.slice(0, -2)
  if (!existsSync(path.join(folder, parent))) return []
  return readdirSync(path.join(folder, parent)).map((name) => path.posix.join(parent, name))
}

async function checkClean(folder: string): Promise<void> {
  const status = await git('git', ['status', '--porcelain'], { cwd: folder }).catch(() => null)
  const reason =
    status === null
      ? 'this is no git repository'
      : status.stdout === ''
        ? null
        : 'git has changes that are not committed'
  if (reason !== null) throw new CommandError(1, `${reason}: commit first, or use --force\n`)
}

async function undoIn({ folder, out }: Session, force: boolean): Promise<void> {
  const text = await readFile(path.join(folder, RECORD), 'utf8').catch(() => null)
  if (text === null) throw new CommandError(3, `there is no ${RECORD}: nothing was migrated here\n`)
  const record = Object.entries(objectOf(JSON.parse(text))).map(([name, one]) => ({ name, ...textsOf(one) }))
  for (const { name, after } of record) {
    const now = await readFile(path.join(folder, name), 'utf8').catch(() => '')
    if (now !== after && !force)
      throw new CommandError(1, `${name} has changed since; --force writes it as it was all the same\n`)
  }
  for (const { name, before } of record) await writeFile(path.join(folder, name), before)
  await rm(path.join(folder, RECORD))
  out(`wrote ${record.map(({ name }) => name).join(', ')} as before; install again\n`)
}

function textsOf(value: unknown): { readonly before: string; readonly after: string } {
  const { before = '', after = '' } = isObject(value) ? value : {}
  return { before: String(before), after: String(after) }
}
