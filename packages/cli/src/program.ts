import { createRequire } from 'node:module'
import { Command } from '@commander-js/extra-typings'

import type { AddCommand, Program } from './command-line.ts'
import { addDiff } from './commands/diff.ts'
import { addDoctor } from './commands/doctor.ts'
import { addExplain } from './commands/explain.ts'
import { addMigrate } from './commands/migrate.ts'
import { addOpenApi } from './commands/openapi.ts'
import { addReplicas } from './commands/replicas.ts'
import { addRoutes } from './commands/routes.ts'
import { addStart } from './commands/start.ts'
import { addTypes } from './commands/types.ts'
import type { Session } from './session.ts'

const require: RequireManifest = createRequire(import.meta.url)

/** `require`, with the type of this manifest. */
type RequireManifest = (name: '@cloister/cli/package.json') => { readonly version: string }

/** In the order of the help text. */
const COMMANDS: readonly AddCommand[] = [
  addStart,
  addRoutes,
  addExplain,
  addOpenApi,
  addTypes,
  addDiff,
  addDoctor,
  addMigrate,
  addReplicas,
]

const EXIT_CODES = `
Exit codes: 0 done, 1 nothing found or a check failed, 2 wrong usage, 3 no app file, or the app does not start.
`

/** Creates the program for one run. */
export function makeProgram(session: Session): Program {
  const program: Program = new Command('cloister')
    .description('Shows, checks and starts an app of Cloister.')
    .version(require('@cloister/cli/package.json').version, '--version', 'print the version of @cloister/cli')
    .showHelpAfterError()
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      writeOut: (text) => session.out(text),
      writeErr: (text) => session.err(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'cloister: ')),
    })
    .exitOverride()
  for (const add of COMMANDS) add(program, session)
  return program
}
