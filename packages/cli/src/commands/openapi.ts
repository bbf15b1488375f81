import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { openApiDocument, OpenApiError } from '@cloister/openapi'
import type { DocumentOptions, OpenApiDocument } from '@cloister/openapi'

import { APP_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { withApp } from '../load-app.ts'
import type { LoadedApp } from '../load-app.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import { toJson } from '../text.ts'
import { checkWritten, writeTo } from '../written-file.ts'

/** Adds `cloister openapi`: the OpenAPI document of an app. */
export function addOpenApi(program: Program, session: Session): void {
  program
    .command('openapi')
    .description('print or write the OpenAPI document of the app')
    .option('--out <file>', 'write it to this file')
    .option('--check', 'end with 1 when the file of --out (default: openapi.json) is not up to date')
    .option('--title <text>', 'title of the API (default: the name in package.json)')
    .option('--3.0', 'version 3.0 of OpenAPI in place of 3.1')
    .option(...APP_OPTION)
    .action(async (options) => {
      const { app: given, check = false, out, title } = options
      const document = await withApp(given, session, async (app) =>
        documentOf(app, await optionsOf(session.folder, title, options['3.0'])),
      )
      const text = toJson(document)
      if (check) await checkWritten({ file: out ?? 'openapi.json', text, command: commandOf(out) }, session)
      else if (out === undefined) session.out(text)
      else await writeTo({ file: out, text, command: commandOf(out) }, session)
    })
}

function commandOf(out: string = 'openapi.json'): string {
  return `cloister openapi --out ${out}`
}

function documentOf(app: LoadedApp, options: DocumentOptions): OpenApiDocument {
  try {
    return openApiDocument(app, options)
  } catch (error) {
    if (error instanceof OpenApiError) throw new CommandError(1, `${error.message}\n`, error)
    throw error
  }
}

/** Title and version of the API are those of the project, unless they are given. */
async function optionsOf(
  folder: string,
  title: string | undefined,
  old: true | undefined,
): Promise<DocumentOptions> {
  const { name = 'API', version = '0.0.0' } = await manifestOf(folder)
  return { info: { title: title ?? name, version }, ...(old === true ? { version: '3.0' as const } : {}) }
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
