import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { openApiDocument, registeredOptions } from '@cloister/openapi'

import { findApp } from '../find-app.ts'
import { withApp } from '../load-app.ts'
import { routesOf } from '../print-routes.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import { pathKey } from './compare-documents.ts'
import type { DocumentSource } from './compare-documents.ts'
import { isObject } from './json.ts'

const DOCUMENT = /\.(?:json|ya?ml)$/
const git = promisify(execFile)

/**
 * Reads one side of a comparison: a file with an OpenAPI document, a file that exports an app, a revision of git
 * (`main`), or a file in a revision (`v1.2.0:openapi.json`).
 *
 * @param app - the file of the app in a revision; `undefined` for one of the usual names
 * @throws CommandError with the code 2 for anything else, with 3 for what cannot be read
 */
export async function readSource(
  given: string,
  app: string | undefined,
  session: Session,
): Promise<DocumentSource> {
  const file = path.resolve(session.folder, given)
  if (existsSync(file))
    return DOCUMENT.test(file) ? parseFile(await readFile(file, 'utf8'), given) : ofApp(file, session)
  const [, revision = given, inner] = /^([^:]+):(.+)$/.exec(given) ?? []
  const commit = await findCommit(revision, session)
  if (commit === null) {
    throw new CommandError(
      2,
      `'${given}' is no file and no revision of git; give a document, an app file, or a revision\n`,
    )
  }
  if (inner !== undefined && DOCUMENT.test(inner)) {
    const shown = await gitIn(session)(['show', `${commit}:./${inner}`]).catch((error: unknown) => {
      throw new CommandError(3, `there is no ${inner} in ${revision}\n`, error)
    })
    return parseFile(shown.stdout, given)
  }
  return ofRevision(commit, inner ?? app, session, ofApp)
}

type Git = (args: readonly string[]) => Promise<{ readonly stdout: string }>

function gitIn({ folder }: Session): Git {
  return (args) => git('git', [...args], { cwd: folder, maxBuffer: 2 ** 28 })
}

/** Returns the commit of a revision; `null` if git does not have it. */
export async function findCommit(revision: string, session: Session): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const found = await gitIn(session)(args).catch(() => null)
  return found === null ? null : found.stdout.trim()
}

async function parseFile(text: string, name: string): Promise<DocumentSource> {
  return { document: await parseDocument(text, name), callSites: new Map() }
}

/**
 * Parses the text of an OpenAPI document.
 *
 * @param name - the name of the file, for messages
 * @throws CommandError with the code 3
 */
export async function parseDocument(text: string, name: string): Promise<DocumentSource['document']> {
  const fail = (reason: string): never => {
    throw new CommandError(3, `${name} is no OpenAPI document: ${reason}\n`)
  }
  const { parse } = await import('yaml')
  let document: unknown
  try {
    document = text.trimStart().startsWith('{') ? JSON.parse(text) : parse(text, { maxAliasCount: 1000 })
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
  if (!isObject(document)) return fail('it is no object')
  if (!String(document['openapi']).startsWith('3.')) return fail("its field 'openapi' is not 3.x")
  return document
}

/**
 * Checks out a revision beside the project, with the project's dependencies, and reads its app.
 *
 * @param app - its file; `undefined` for one of the usual names
 */
export async function ofRevision<T>(
  commit: string,
  app: string | undefined,
  session: Session,
  read: (file: string, session: Session) => Promise<T>,
): Promise<T> {
  const run = gitIn(session)
  const top = (await run(['rev-parse', '--show-toplevel'])).stdout.trim()
  const inside = (await run(['rev-parse', '--show-prefix'])).stdout.trim()
  const tree = path.join(await mkdtemp(path.join(tmpdir(), 'cloister-diff-')), 'tree')
  try {
    await run(['worktree', 'add', '--detach', '--force', tree, commit])
    for (const folder of new Set(['', inside])) {
      const modules = path.join(top, folder, 'node_modules')
      const target = path.join(tree, folder, 'node_modules')
      if (existsSync(modules) && !existsSync(target)) await symlink(modules, target, 'junction')
    }
    const folder = path.join(tree, inside)
    return await read(findApp(app, folder), { ...session, folder })
  } finally {
    await run(['worktree', 'remove', '--force', tree]).catch(() => {})
    await rm(path.dirname(tree), { recursive: true, force: true })
  }
}

function ofApp(file: string, session: Session): Promise<DocumentSource> {
  return withApp(file, session, (app) => {
    const callSites = new Map<string, string>()
    for (const { method, url, callSite } of routesOf(app.explain())) {
      // Documents write `:id`, `:id(^\\d+$)` and `*` as `{…}`.
      const key = url.replaceAll(/:\w+(?:\([^)]*\))?\??|\*/g, '{}')
      if (callSite !== null) callSites.set(`${method} ${pathKey(key)}`, callSite)
    }
    const document: unknown = JSON.parse(JSON.stringify(openApiDocument(app, registeredOptions(app))))
    return { document: isObject(document) ? document : {}, callSites }
  })
}
