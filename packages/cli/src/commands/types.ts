import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { Option } from '@commander-js/extra-typings'
import type { CloisterOptions } from 'cloister'

import { APP_OPTION, commandLine } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { withApp } from '../load-app.ts'
import type { LoadedApp } from '../load-app.ts'
import { printError } from '../print-error.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import { printCallSite } from '../text.ts'
import { checkWritten, writeTo } from '../written-file.ts'

/** Adds `cloister types`, which writes the table of routes for `@cloister/client`. */
export function addTypes(program: Program, session: Session): void {
  program
    .command('types')
    .description('write the types of the routes for @cloister/client, or those of an OpenAPI document')
    .option(
      '--from <document>',
      'write a module for implement() of @cloister/openapi, with this document and its types',
    )
    .option('--out <file>', 'write them to this file (default: api.d.ts, with --from api.ts)')
    .addOption(
      new Option(
        '--integers <rule>',
        "with --from, the option 'integers' of the app that implements the document",
      ).choices(['number', 'exact', 'bigint'] as const),
    )
    .option('--check', 'end with 1 when the file is not up to date')
    .option('--no-failures', 'without the errors that no schema names')
    .option(...APP_OPTION)
    .action(async ({ app: given, from, out, integers, check = false, failures }) => {
      if (integers !== undefined && from === undefined)
        throw new CommandError(
          2,
          "--integers belongs to --from; the types of an app follow its own option 'integers'\n",
        )
      const { text, file } =
        from === undefined
          ? await withApp(given, session, (app) => typesOf(app, { out, failures }, session))
          : { text: await typesFrom(from, integers, session), file: out ?? 'api.ts' }
      const options = { app: given, from, out, integers, 'no-failures': !failures }
      const written = { file, text, command: commandLine('types', options) }
      await (check ? checkWritten(written, session) : writeTo(written, session))
    })
}

interface TypesOptions {
  readonly out: string | undefined
  readonly failures: boolean
}

/** Writes the types of an app's routes to a file, and a warning for each missing type to the standard error. */
export async function writeTypes(app: LoadedApp, options: TypesOptions, session: Session): Promise<void> {
  await writeTo({ ...(await typesOf(app, options, session)), command: '' }, session)
}

/** Reads the document through an app that implements it, so that both have the same types for a schema. */
async function typesFrom(
  given: string,
  integers: CloisterOptions['integers'],
  session: Session,
): Promise<string> {
  const [
    { implement, operationsOf },
    { cloister },
    { inspectRoutes },
    { writeSpecification },
    { parseDocument },
  ] = await Promise.all([
    import('@cloister/openapi'),
    import('cloister'),
    import('cloister/inspect'),
    import('../types/write-specification.ts'),
    import('../diff/read-source.ts'),
  ])
  const text = await readFile(path.resolve(session.folder, given), 'utf8').catch((error: unknown) => {
    throw new CommandError(3, `${given} cannot be read\n`, error)
  })
  const document = await parseDocument(text, given)
  const app = cloister(integers === undefined ? {} : { integers }).setErrorHandler(() => '')
  try {
    const operations = operationsOf(document)
    const named = <T>(names: readonly string[], value: T): Record<string, T> =>
      Object.fromEntries(names.map((name) => [name, value]))
    const handlers = named(
      operations.map(({ operationId }) => operationId),
      async () => {},
    )
    const security = named(
      operations.flatMap(({ securitySchemes }) => securitySchemes),
      async () => {},
    )
    app.register(implement(document, handlers, { security }))
    await app.ready()
    return writeSpecification({ document, operations, routes: inspectRoutes(app) })
  } catch (error) {
    throw new CommandError(1, `${given}: ${printError(error)}\n`, error)
  } finally {
    await app.close()
  }
}

async function typesOf(
  app: LoadedApp,
  { out, failures }: TypesOptions,
  session: Session,
): Promise<{ readonly text: string; readonly file: string }> {
  // Loaded here because other commands do not need them.
  const [{ inspectRoutes }, { writeApi }] = await Promise.all([
    import('cloister/inspect'),
    import('../types/write-api.ts'),
  ])
  const { text, warnings, hasCode } = writeApi(inspectRoutes(app), { failures })
  if (hasCode && out?.endsWith('.d.ts') === true)
    throw new CommandError(
      3,
      `${out}: the replies of the app have 64-bit integers, and clients read where at run time; write a file with code, such as --out ${out.replace(/\.d\.ts$/, '.ts')}\n`,
    )
  for (const { route, callSite, type, part, reason } of warnings)
    session.err(
      `cloister: ${route} (${printCallSite(callSite, session.folder)}): ${type} in ${part}: ${reason}\n`,
    )
  return { text, file: out ?? (hasCode ? 'api.ts' : 'api.d.ts') }
}
