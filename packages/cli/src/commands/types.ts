import { APP_OPTION, commandLine } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { withApp } from '../load-app.ts'
import type { LoadedApp } from '../load-app.ts'
import type { Session } from '../session.ts'
import { printCallSite } from '../text.ts'
import { checkWritten, writeTo } from '../written-file.ts'

/** Adds `cloister types`: the table of routes for `@cloister/client`. */
export function addTypes(program: Program, session: Session): void {
  program
    .command('types')
    .description('write the types of the routes for @cloister/client')
    .option('--out <file>', 'write them to this file', 'api.d.ts')
    .option('--check', 'end with 1 when the file is not up to date')
    .option('--no-failures', 'without the errors that no schema names')
    .option(...APP_OPTION)
    .action(async ({ app: given, out, check = false, failures }) => {
      const text = await withApp(given, session, (app) => typesOf(app, failures, session))
      const options = { app: given, out: out === 'api.d.ts' ? undefined : out, 'no-failures': !failures }
      const written = { file: out, text, command: commandLine('types', options) }
      await (check ? checkWritten(written, session) : writeTo(written, session))
    })
}

/** Writes the types of the routes of an app to a file, and what has none to the standard error. */
export async function writeTypes(
  app: LoadedApp,
  { out, failures }: { readonly out: string; readonly failures: boolean },
  session: Session,
): Promise<void> {
  await writeTo({ file: out, text: await typesOf(app, failures, session), command: '' }, session)
}

async function typesOf(app: LoadedApp, failures: boolean, session: Session): Promise<string> {
  // Other commands need neither.
  const [{ inspectRoutes }, { writeApi }] = await Promise.all([
    import('cloister/inspect'),
    import('../types/write-api.ts'),
  ])
  const { text, warnings } = writeApi(inspectRoutes(app), { failures })
  for (const { route, callSite, part, reason } of warnings)
    session.err(
      `cloister: ${route} (${printCallSite(callSite, session.folder)}): unknown type in ${part}: ${reason}\n`,
    )
  return text
}
