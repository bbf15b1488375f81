import path from 'node:path'

import type { Program } from '../command-line.ts'
import { APP_OPTION, JSON_OPTION } from '../command-line.ts'
import { hasAlias } from '../doctor/alias.ts'
import { checkDifferences } from '../doctor/differences.ts'
import type { Finding } from '../doctor/finding.ts'
import { checkOptions } from '../doctor/options.ts'
import { checkGaps, checkSchemas } from '../doctor/schemas.ts'
import { readSources } from '../doctor/source-files.ts'
import { fromWarnings, withWarnings } from '../doctor/warnings.ts'
import { findApp } from '../find-app.ts'
import { withApp } from '../load-app.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import { placeOf } from '../syntax-error.ts'
import { printCallSite, toJson } from '../text.ts'

/** Adds `cloister doctor`: what is wrong with an app, and what it does in another way than Fastify. */
export function addDoctor(program: Program, session: Session): void {
  program
    .command('doctor')
    .description(
      'start the app without listening and say what is wrong: errors, warnings, options that believe every client, schemas that need Ajv, code that does something else than on Fastify',
    )
    .option(...JSON_OPTION)
    .option(...APP_OPTION)
    .action(async ({ app: given, json = false }) => {
      const file = findApp(given, session.folder)
      const findings = await examine(file, session)
      session.out(json ? toJson(findings) : printFindings(findings, session.folder))
      if (findings.some(({ level }) => level === 'problem')) session.exit(1)
    })
}

async function examine(file: string, session: Session): Promise<Finding[]> {
  const [own, warnings] = await withWarnings(() => examineApp(file, session))
  const sources = await readSources(path.dirname(file))
  return [...own, ...fromWarnings(warnings), ...checkDifferences(sources, hasAlias(file))]
}

/** Starts the app and looks at it; the error of an app that does not start is a finding too. */
async function examineApp(file: string, session: Session): Promise<Finding[]> {
  try {
    return await withApp(file, session, async (app) => [
      ...checkOptions(app),
      ...checkSchemas(app),
      ...(await checkGaps(app)),
    ])
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const cause = error.cause instanceof Error ? error.cause : error
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'START_FAILED'
    const message = cause.message.trimEnd()
    return [{ level: 'problem', check: 'start', code, message, callSite: placeOf(cause) }]
  }
}

function printFindings(findings: readonly Finding[], folder: string): string {
  const problems = findings.filter(({ level }) => level === 'problem').length
  const lines = findings.map(({ level, code, message, callSite }) => {
    const where = callSite === null ? '' : `\n    ${printCallSite(callSite, folder)}`
    return `${level === 'problem' ? 'problem' : 'note   '}  ${code}\n    ${message}${where}\n`
  })
  return `${lines.join('')}${count(problems, 'problem')}, ${count(findings.length - problems, 'note')}\n`
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
