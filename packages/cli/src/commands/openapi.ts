import { openApiDocument } from '@cloister/openapi'

import { APP_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { OUT_OPTION, TITLE_OPTION, writeDocument } from '../document-file.ts'
import type { Session } from '../session.ts'

/** Adds `cloister openapi`, which writes the OpenAPI document of an app. */
export function addOpenApi(program: Program, session: Session): void {
  program
    .command('openapi')
    .description('print or write the OpenAPI document of the app')
    .option(...OUT_OPTION)
    .option('--check', 'end with 1 when the file of --out (default: openapi.json) is not up to date')
    .option(...TITLE_OPTION)
    .option('--3.0', 'version 3.0 of OpenAPI in place of 3.1')
    .option(...APP_OPTION)
    .action(async ({ app, check, out, title, ...more }) => {
      const options = more['3.0'] === true ? { version: '3.0' as const } : {}
      const own = { name: 'openapi', create: openApiDocument, options, more }
      await writeDocument({ ...own, app, check, out, title }, session)
    })
}
