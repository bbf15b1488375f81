import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { CommandError, findApp, managerOf, objectOf } from '@cloister/cli/internal'
import type { Session } from '@cloister/cli/internal'
import type { ExpressApp } from './recorder/express-routes.ts'
import { indentOf } from './alias-manifest.ts'
import { moduleOf, tsLoader } from './observe.ts'
import { checkClean, cloisterRange, readManifest, writeMove } from './project.ts'
import { runCommand } from './run-command.ts'

const FILE = 'cloister.mjs'

/** How to move an Express app. */
export interface ExpressMove {
  readonly app: string | undefined
  readonly dryRun: boolean
  /** Whether to continue with uncommitted changes in git. */
  readonly force: boolean
}

/**
 * Writes a file that mounts the Express app of a project, and lists its routes, which can be moved one by one.
 *
 * @throws CommandError with the code 3 when the file has no Express app, or cannot be loaded
 */
export async function moveFromExpress(session: Session, { app, dryRun, force }: ExpressMove): Promise<void> {
  const { folder, out } = session
  const manifest = await readManifest(folder, 'package.json')
  if (manifest === null)
    throw new CommandError(3, `there is no package.json in ${folder}; run this at the root of the project\n`)
  const file = path.relative(folder, findApp(app, folder)).replaceAll('\\', '/')
  const found = await readApp(folder, file)
  const rows = tableOf(found)
  out(`${file}: ${found.routes.length} routes of Express\n\n${rows.join('\n')}\n\n`)
  for (const callSite of found.listens)
    out(`${callSite} listens itself: take it out, or it takes its port beside ${FILE}\n`)
  const text = sourceOf(file, found, rows)
  if (dryRun) {
    out(`\n${FILE}\n${text}`)
    return
  }
  if (!force) await checkClean(folder)
  if (existsSync(path.join(folder, FILE)))
    throw new CommandError(1, `${FILE} is there already; remove it, or use --dry-run to print a new one\n`)
  const dependencies = { ...objectOf(manifest.manifest['dependencies']), cloister: cloisterRange() }
  const after = `${JSON.stringify({ ...manifest.manifest, dependencies }, null, indentOf(manifest.text))}\n`
  await writeMove(folder, {
    files: [
      { name: 'package.json', before: manifest.text, after },
      { name: FILE, before: null, after: text },
    ],
  })
  const { install } = managerOf((lock) => existsSync(path.join(folder, lock)))
  out(
    `wrote ${FILE} and package.json\nNext, run ${install}, then node ${FILE}\nTo undo the change: npx @cloister/migrate --undo\n`,
  )
}

async function readApp(folder: string, file: string): Promise<ExpressApp> {
  const record = await mkdtemp(path.join(tmpdir(), 'cloister-migrate-'))
  const output = path.join(record, 'app.json')
  const loader = /\.[cm]?tsx?$/.test(file) ? tsLoader(folder) : ''
  try {
    const command = `"${process.execPath}" ${loader}"${moduleOf('express-routes')}" "${file}" "${output}"`
    const ran = await runCommand(command, folder, { CLOISTER_MIGRATE_FOLDER: folder })
    const text = await readFile(output, 'utf8').catch(() => null)
    if (text === null) throw new CommandError(3, `the app of ${file} cannot be loaded:\n${ran.output}\n`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the recorder has written it, in the form of this type
    const app = JSON.parse(text) as ExpressApp
    if (app.name !== null) return app
  } finally {
    await rm(record, { recursive: true, force: true })
  }
  throw new CommandError(
    3,
    `${file} exports no Express app. Export it (export default app; module.exports = app), and call listen in another file.\n`,
  )
}

function tableOf({ routes }: ExpressApp): string[] {
  const width = Math.max(...routes.map(({ path: one }) => one.length), 0)
  return routes.map(({ method, path: one, callSite }) =>
    `  ${method.padEnd(7)} ${one.padEnd(width)}  ${callSite}`.trimEnd(),
  )
}

function sourceOf(file: string, { name, isFactory }: ExpressApp, rows: readonly string[]): string {
  const local = isFactory ? 'createExpress' : 'express'
  const names = name === 'default' ? local : `{ ${String(name)} as ${local} }`
  return `// Requests that no route of this file takes go to the Express app. Move its routes one by one: define one here, with a
// schema, and delete it there. What it had when this file was written:
//
${rows.map((row) => `//${row}`).join('\n')}
import { cloister } from 'cloister'
import ${names} from './${file}'

const app = cloister({ logger: true })

app.mount('/', ${isFactory ? `await ${local}()` : local})

await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '0.0.0.0' })
`
}
