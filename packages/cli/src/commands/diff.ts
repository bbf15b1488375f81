import { APP_OPTION, JSON_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import type { Change } from '../diff/changes.ts'
import { findApp } from '../find-app.ts'
import type { Session } from '../session.ts'
import { printCallSite, styled, toJson } from '../text.ts'

const STYLES = { error: 'red', warning: 'yellow' } as const

/** Adds `cloister diff`, which lists the changes of an API that break its clients. */
export function addDiff(program: Program, session: Session): void {
  program
    .command('diff')
    .description('list the changes of an API that break its clients, as in: cloister diff main')
    .argument('<old>', 'an OpenAPI document, an app file, a revision of git, or REVISION:FILE')
    .argument('[new]', 'as <old> (default: the app)')
    .option('--strict', 'end with 1 for warnings too')
    .option(...JSON_OPTION)
    .option(...APP_OPTION)
    .action(async (old, now, { app, json = false, strict = false }) => {
      // Loaded here because other commands do not need them.
      const [{ compareDocuments }, { readSource }] = await Promise.all([
        import('../diff/compare-documents.ts'),
        import('../diff/read-source.ts'),
      ])
      const before = await readSource(old, app, session)
      const after = await readSource(now ?? findApp(app, session.folder), app, session)
      const changes = compareDocuments(before, after)
      session.out(json ? toJson(changes) : printChanges(changes, session))
      if (changes.some(({ level }) => level === 'error' || strict)) session.exit(1)
    })
}

function printChanges(changes: readonly Change[], session: Session): string {
  const byOperation = groupByOperation(changes)
  const blocks = Array.from(byOperation, ([operation, all]) => {
    const [first] = all
    const place =
      first === undefined || first.callSite === null
        ? ''
        : `  ${printCallSite(first.callSite, session.folder)}`
    const lines = all.map(
      ({ level, check, where, message }) =>
        `  ${styled(level.padEnd(7), STYLES[level], session)}  ${where}  ${styled(check, 'dim', session)}\n      ${message}\n`,
    )
    return `${styled(operation, 'bold', session)}${place}\n${lines.join('')}`
  })
  const errors = changes.filter(({ level }) => level === 'error').length
  return `${blocks.join('')}${errors} breaking, ${changes.length - errors} warnings\n`
}

function groupByOperation(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes)
    groups.set(change.operation, [...(groups.get(change.operation) ?? []), change])
  return groups
}
