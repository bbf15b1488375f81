/**
 * The integrations ask for `fastify` themselves, so the subject is what `node_modules/fastify` of their line is:
 * Cloister, or a peer when `CLOISTER_SUBJECT` says so (see link-subject.ts).
 */
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterEach, describe } from 'vitest'

/** What integrations give is theirs to type and differs from major to major; here it is read as it comes. */
export type Untyped = ReturnType<typeof JSON.parse>

/** A line of majors: those made for 4.x and those made for 5.x. */
export type Line = 4 | 5

/** The subject's name. */
export const subjectName: string = process.env['CLOISTER_SUBJECT'] ?? 'cloister'

/** The lines whose integrations the subject is asked to carry. */
export const lines: readonly Line[] =
  subjectName === 'fastify4' ? [4] : subjectName === 'fastify5' ? [5] : [4, 5]

/** What a suite works with. */
export interface IntegrationSuite {
  readonly line: Line
  /** A module of the line's own `node_modules`. */
  readonly use: (specifier: string) => Untyped
  /** Makes an app of the subject that is closed after the test. */
  readonly createApp: (options?: Record<string, unknown>) => Untyped
  /** Closes something after the test. */
  readonly closeAfter: (closable: { close: () => unknown }) => void
}

/** Runs a suite once for each line of majors that the subject carries; an integration may be there for one only. */
export function describeIntegration(
  packageName: string,
  define: (suite: IntegrationSuite) => void,
  existing: readonly Line[] = lines,
): void {
  for (const line of lines.filter((wanted) => existing.includes(wanted))) {
    const use = createRequire(new URL(`./line-${line}/package.json`, import.meta.url))
    const manifest: Untyped = use('./package.json')
    describe(`${packageName} ${manifest.dependencies[packageName]}`, () => {
      const open: { close: () => unknown }[] = []
      afterEach(async () => {
        for (const closable of open.splice(0).toReversed()) await closable.close()
      })
      define({
        line,
        use,
        closeAfter: (closable) => open.push(closable),
        createApp: (options) => {
          const app = use('fastify').fastify({ forceCloseConnections: true, ...options })
          open.push(app)
          return app
        },
      })
    })
  }
}

/** Starts an app on a free port and gives its address. */
export async function start(app: Untyped): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address: AddressInfo = app.server.address()
  return `http://127.0.0.1:${address.port}`
}

/** The JSON of a response, as it comes. */
export async function json(response: Response): Promise<Untyped> {
  return response.json()
}

/** Sends JSON and reads JSON. */
export async function post(
  url: string,
  body: unknown,
  headers: object = {},
): Promise<{ status: number; body: Untyped }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await json(response) }
}
