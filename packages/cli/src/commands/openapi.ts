import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { openApiDocument, OpenApiError, registeredOptions } from '@cloister/openapi'
import type { DocumentOptions, OpenApiDocument } from '@cloister/openapi'

import { APP_OPTION, commandLine } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { withApp } from '../load-app.ts'
import type { LoadedApp } from '../load-app.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import { toJson } from '../text.ts'
import { checkWritten, writeTo } from '../written-file.ts'

/** Adds `cloister openapi`, which writes the OpenAPI document of an app. */
export function addOpenApi(program: Program, session: Session): void {
  program
    .command('openapi')
    .description('print or write the OpenAPI document of the app')
    .option('--out <file>', 'write it to this file, as YAML where its name ends with .yaml or .yml')
    .option('--check', 'end with 1 when the file of --out (default: openapi.json) is not up to date')
    .option('--title <text>', 'title of the API (default: the name in package.json)')
    .option('--3.0', 'version 3.0 of OpenAPI in place of 3.1')
    .option(...APP_OPTION)
    .action(async (options) => {
      const { app: given, check = false, out, title } = options
      const wanted = options['3.0'] === true ? { version: '3.0' as const } : {}
      const document = await withApp(given, session, (app) => documentOf(app, wanted))
      const whole = { ...document, info: await infoOf(document, title, session.folder) }
      const isYaml = /\.ya?ml$/.test(out ?? '')
      const text = isYaml
        ? (await import('yaml')).stringify(whole, { aliasDuplicateObjects: false })
        : toJson(whole)
      if (!check && out === undefined) {
        session.out(text)
        return
      }
      const file = out ?? 'openapi.json'
      const command = commandLine('openapi', { app: given, out: file, title, '3.0': options['3.0'] })
      await (check ? checkWritten : writeTo)({ file, text, command }, session)
    })
}

function documentOf(app: LoadedApp, options: DocumentOptions): OpenApiDocument {
  try {
    return openApiDocument(app, { ...registeredOptions(app), ...options })
  } catch (error) {
    if (error instanceof OpenApiError) throw new CommandError(1, `${error.message}\n`, error)
    throw error
  }
}

/** Returns title and version: as given, or of the plugin that serves the document, or of the project. */
async function infoOf(
  { info }: OpenApiDocument,
  title: string | undefined,
  folder: string,
): Promise<OpenApiDocument['info']> {
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
