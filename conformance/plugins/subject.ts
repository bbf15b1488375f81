/**
 * The plugins' suites run on one subject, chosen by `CLOISTER_SUBJECT` (see the harness): a peer gets the plugins
 * of its own line, to prove the suites true; Cloister gets the plugins of both lines.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { describe } from 'vitest'
import { subjectName } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'

/**
 * What plugins add to an app, a request or a reply differs from major to major and is theirs to type;
 * here it is read as it comes.
 */
export type Untyped = ReturnType<typeof JSON.parse>

/** A line of majors: those made for 4.x and those made for 5.x. */
export type Line = 4 | 5

/** An app as a plugin's user writes it. */
export interface PluginApp {
  [member: string]: Untyped
}

/** What a suite works with. */
export interface PluginSuite {
  readonly line: Line
  /** The module of a plugin of this line, by its name without the scope, as `require` gives it. */
  readonly use: (name: string) => Untyped
  /** Makes an app that is closed after the test. */
  readonly createApp: (options?: Record<string, unknown>) => PluginApp
}

const require = createRequire(import.meta.url)

/** The lines whose plugins the subject is asked to carry. */
export const lines: readonly Line[] =
  subjectName === 'fastify4' ? [4] : subjectName === 'fastify5' ? [5] : [4, 5]

/** Where `package.json` says a plugin of a line is installed. */
export function packageOf(name: string, line: Line): string {
  if (name === 'fastify-plugin') return line === 4 ? 'fastify-plugin-4' : 'fastify-plugin-6'
  return line === 4 ? `${name}-4` : `@fastify/${name}`
}

/** The exact version of a plugin, from this folder's `package.json`. */
export function versionOf(name: string, line: Line): string {
  const manifest: Untyped = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))
  return String(manifest.devDependencies[packageOf(name, line)]).replace(/^.*@/, '')
}

/** Runs a suite once for each line of majors that the subject carries; a plugin may be there for one only. */
export function describePlugin(
  name: string,
  define: (suite: PluginSuite) => void,
  existing: readonly Line[] = lines,
): void {
  for (const line of lines.filter((wanted) => existing.includes(wanted))) {
    describe(`${name} ${versionOf(name, line)}`, () => {
      const makeApp = useApps()
      define({ line, use: (wanted) => require(packageOf(wanted, line)), createApp: makeApp })
    })
  }
}

/** Starts an app on a free port and gives its address. */
export async function start(app: PluginApp): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address: AddressInfo = app.server.address()
  return `http://127.0.0.1:${address.port}`
}

/** The JSON of a response, as it comes. */
export async function json(response: Response): Promise<Untyped> {
  return response.json()
}

/** Sends JSON. */
export function sendJson(
  url: string,
  method: string,
  body: unknown,
  headers: object = {},
): Promise<Response> {
  return fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
