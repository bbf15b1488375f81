import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { OpenApiError, registeredOptions } from '@cloister/openapi'
import type { DocumentOptions, InfoObject } from '@cloister/openapi'

import { commandLine } from './command-line.ts'
import { withApp } from './load-app.ts'
import type { LoadedApp } from './load-app.ts'
import { CommandError } from './session.ts'
import type { Session } from './session.ts'
import { toJson } from './text.ts'
import { checkWritten, writeTo } from './written-file.ts'

/** The options of commands that write a document of the app. */
export const OUT_OPTION = [
  '--out <file>',
  'write it to this file, as YAML where its name ends with .yaml or .yml',
] as const
export const TITLE_OPTION = [
  '--title <text>',
  'title of the API (default: the name in package.json)',
] as const

/** A document, and what the user wants of it. */
export interface DocumentRequest<Document> {
  /** of the command, and of the file by default */
  readonly name: string
  readonly create: (app: LoadedApp, options: DocumentOptions) => Document
  readonly options: DocumentOptions
  readonly app: string | undefined
  readonly out: string | undefined
  readonly check: boolean | undefined
  readonly title: string | undefined
  /** further options of the command */
  readonly more: Readonly<Record<string, string | boolean | undefined>>
}

/** Prints a document of the app, writes it to a file, or checks that a file is up to date. */
export async function writeDocument<Document extends { readonly info: InfoObject }>(
  { name, create, options, app: given, out, check = false, title, more }: DocumentRequest<Document>,
  session: Session,
): Promise<void> {
  const document = await withApp(given, session, (app) => {
    try {
      return create(app, { ...registeredOptions(app), ...options })
    } catch (error) {
      if (error instanceof OpenApiError) throw new CommandError(1, `${error.message}\n`, error)
      throw error
    }
  })
  const whole = { ...document, info: await infoOf(document.info, title, session.folder) }
  const isYaml = /\.ya?ml$/.test(out ?? '')
  const text = isYaml
    ? (await import('yaml')).stringify(whole, { aliasDuplicateObjects: false })
    : toJson(whole)
  if (!check && out === undefined) {
    session.out(text)
    return
  }
  const file = out ?? `${name}.json`
  const command = commandLine(name, { app: given, out: file, title, ...more })
  await (check ? checkWritten : writeTo)({ file, text, command }, session)
}

/** Returns title and version: as given, or of the plugin that serves the document, or of the project. */
async function infoOf(info: InfoObject, title: string | undefined, folder: string): Promise<InfoObject> {
  const isOwn = info.title !== 'API' || info.version !== '0.0.0'
  const { name = 'API', version = '0.0.0' } = isOwn ? {} : await manifestOf(folder)
  const found = isOwn ? info : { title: name, version }
  return title === undefined ? found : { ...found, title }
}

interface Manifest {
  readonly name?: string
  readonly version?: string
}

async function manifestOf(folder: string): Promise<Manifest> {
  try {
    const found: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
    return isManifest(found) ? found : {}
  } catch {
    // A folder without a manifest has no name for the API.
    return {}
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false
  const texts = ['name', 'version'].map((key): unknown => Reflect.get(value, key))
  return texts.every((text) => text === undefined || typeof text === 'string')
}
