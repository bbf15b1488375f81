import path from 'node:path'
import type { Program } from '../command-line.ts'
import { APP_OPTION, JSON_OPTION } from '../command-line.ts'
import { checkAlias, hasAlias } from '../doctor/alias.ts'
import { checkDifferences } from '../doctor/differences.ts'
import type { Finding } from '../doctor/finding.ts'
import { checkGuards } from '../doctor/guards.ts'
import { checkReferences } from '../doctor/references.ts'
import { checkGaps, checkSchemas } from '../doctor/schemas.ts'
import { checkStrict } from '../doctor/strict.ts'
import { fromWarnings, withWarnings } from '../doctor/warnings.ts'
import { findApp } from '../find-app.ts'
import { withApp } from '../load-app.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import { placeOf } from '../syntax-error.ts'
import { printCallSite, styled, toJson } from '../text.ts'
import type { Paper } from '../text.ts'
import { printError } from '../print-error.ts'
import type { LoadedApp } from '../load-app.ts'
import { readSources } from '../source-files.ts'

/** Adds `cloister doctor`, which lists the problems of an app, and where it behaves differently than on Fastify. */
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
      session.out(json ? toJson(findings) : printFindings(findings, session))
      if (findings.some(({ level }) => level === 'problem')) session.exit(1)
    })
}

async function examine(file: string, session: Session): Promise<Finding[]> {
  const [own, warnings] = await withWarnings(() => examineApp(file, session))
  const sources = await readSources(path.dirname(file))
  return [
    ...checkAlias(file, session.folder),
    ...own,
    ...fromWarnings(warnings),
    ...(await checkDifferences(sources, hasAlias(file))),
  ]
}

/** Starts the app and checks it. If the app does not start, its error is a finding. */
async function examineApp(file: string, session: Session): Promise<Finding[]> {
  try {
    return await withApp(file, session, async (app) => [
      ...checkOptions(app),
      ...checkTransport(app),
      ...checkSchemas(app),
      ...(await checkGaps(app)),
      ...(await checkReferences(app)),
      ...(await checkGuards(app)),
      ...checkStrict(app),
    ])
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const cause = error.cause instanceof Error ? error.cause : error
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'START_FAILED'
    // The same text as in other commands, with the failing plugin and where it is registered.
    const message = printError(cause).trimEnd()
    return [{ level: 'problem', check: 'start', code, message, callSite: placeOf(cause) }]
  }
}

const STYLES = { problem: 'red', note: 'yellow' } as const

function printFindings(findings: readonly Finding[], paper: Paper): string {
  const problems = findings.filter(({ level }) => level === 'problem').length
  const lines = findings.map(({ level, code, message, callSite }) => {
    const where = callSite === null ? '' : `\n    ${printCallSite(callSite, paper.folder)}`
    return `${styled(level.padEnd(7), STYLES[level], paper)}  ${code}\n    ${message.replaceAll('\n', '\n    ')}${where}\n`
  })
  return `${lines.join('')}${count(problems, 'problem')}, ${count(findings.length - problems, 'note')}\n`
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}

/** Finds accepted options that clients can use against the app. */
function checkOptions({ initialConfig: { trustProxy } }: LoadedApp): Finding[] {
  if (trustProxy !== true && (typeof trustProxy !== 'number' || trustProxy === 0)) return []
  const whom = trustProxy === true ? 'every client' : 'that many hops, whatever their address'
  const hops = Number(trustProxy)
  const message = `trustProxy: ${trustProxy} believes ${whom}: a client that reaches the app directly chooses request.ip, request.host and request.protocol; name your proxies by address ('10.0.0.0/8'), or by number and address: { hops: ${hops}, from: '10.0.0.0/8' }`
  return [{ level: 'note', check: 'options', code: 'TRUST_PROXY_ANYONE', message, callSite: null }]
}

/** Finds why the app does not run on the engine that it asks for. */
function checkTransport({ initialConfig, transport: { name, asked, reason } }: LoadedApp): Finding[] {
  // The engine only serves HTTP/1.1, so an app with HTTP/2 misses nothing.
  if (asked === 'node' || name === 'wire' || initialConfig.http2 === true) return []
  const message = `requests are served by node:http though the app asks for '${asked}': ${reason}; this costs CPU, and nothing else`
  return [{ level: 'note', check: 'options', code: 'TRANSPORT_NODE', message, callSite: null }]
}
