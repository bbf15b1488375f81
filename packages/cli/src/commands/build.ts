import { readFile } from 'node:fs/promises'
import { METHODS } from 'node:http'
import path from 'node:path'

import { Option } from '@commander-js/extra-typings'

import { APP_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { findApp } from '../find-app.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import type { RunExchange } from '../build/exchange-file.ts'

const SAFE = 'GET,HEAD,OPTIONS'

/** Adds `cloister build`: one module in which the functions of schemas are code. */
export function addBuild(program: Program, session: Session): void {
  program
    .command('build')
    .argument('[file]', 'the file of the app, as with --app')
    .description(
      'write the app as one module, in which validators and serializers are code, after comparing both with requests',
    )
    .addOption(
      new Option('--target <platform>', 'the platform that runs it')
        .choices(['node', 'workerd', 'bun', 'deno', 'lambda'] as const)
        .default('node' as const),
    )
    .option('--out <file>', 'the file to write; its map gets the ending .map', 'dist/built.mjs')
    .option('--no-seal', 'keep what compiles schemas, for an app that gets new ones while it runs')
    .option('--no-code-cache', 'write an ES module without the compiled code for Node beside it')
    .option('--external <packages>', 'packages that stay imports, separated by commas', '')
    .option(
      '--methods <list>',
      'methods whose handlers run while the app is compared; other handlers are replaced, or get no valid request',
      SAFE,
    )
    .option(
      '--requests <file>',
      'compare these requests too: a line of JSON for each { method, url, headers, body }',
    )
    .option(...APP_OPTION)
    .action(async (given, { app, target, out, seal, codeCache, external, methods, requests }) => {
      const { buildApp } = await import('../build/build-app.ts')
      const { printResult } = await import('../build/report.ts')
      const options = {
        file: findApp(given ?? app, session.folder),
        target,
        out: path.resolve(session.folder, out),
        seals: seal,
        codeCache,
        external: listOf(external),
        methods: methodsOf(methods),
        requests: requests === undefined ? [] : await readRequests(path.resolve(session.folder, requests)),
      }
      const result = await buildApp(options, session.folder)
      // A sealed app does not check its schemas again.
      for (const warning of result.warnings) session.err(`warning: ${warning}\n`)
      const { differences } = result.proof
      session[differences.length === 0 ? 'out' : 'err'](printResult(result, options, session.folder))
      if (differences.length > 0) session.exit(1)
    })
}

function listOf(text: string): string[] {
  const items = text.split(',').map((one) => one.trim())
  return items.filter((one) => one !== '')
}

function methodsOf(text: string): string[] {
  const methods = listOf(text.toUpperCase())
  const unknown = methods.find((one) => !METHODS.includes(one))
  if (unknown === undefined) return methods
  throw new CommandError(2, `--methods has '${unknown}', which is not an HTTP method\n`)
}

async function readRequests(file: string): Promise<RunExchange[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(3, `${file} cannot be read\n`, error)
  })
  const lines = text.split('\n').map((line, index) => ({ line, callSite: `${file}:${index + 1}` }))
  return lines
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, callSite }) => toExchange(line, callSite))
}

function toExchange(line: string, callSite: string): RunExchange {
  const { method = 'GET', url, headers = {}, body = null, ...others } = parse(line, callSite)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new CommandError(
      2,
      `${callSite}: a request has method, url, headers and body, and no '${unknown}'\n`,
    )
  if (typeof url !== 'string' || !url.startsWith('/'))
    throw new CommandError(2, `${callSite}: a request needs a url that begins with a slash\n`)
  const text = body === null || typeof body === 'string' ? body : JSON.stringify(body)
  const sent: Record<string, string> = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
  const request = { method: String(method).toUpperCase(), url, headers: sent, body: text }
  return {
    kind: 'recorded',
    key: callSite,
    request,
    response: null,
    callSite,
    isStandIn: false,
    failure: null,
  }
}

interface GivenRequest {
  readonly method?: unknown
  readonly url?: unknown
  readonly headers?: object
  readonly body?: unknown
}

function parse(line: string, callSite: string): GivenRequest {
  try {
    const found: unknown = JSON.parse(line)
    if (typeof found === 'object' && found !== null) return found
  } catch {
    // The message below says it.
  }
  throw new CommandError(2, `${callSite}: this line is no request as JSON\n`)
}
