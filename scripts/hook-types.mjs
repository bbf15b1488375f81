// Writes Fastify's type names of request hooks from the table in `hooks/names.ts`, and the path of a request in
// ARCHITECTURE.md from that in `request/stages.ts`. With `--check` it only says whether
// they are up to date.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadSource } from './lib/load-source.mjs'
import { keepWritten } from './lib/keep-written.mjs'

const source = 'packages/cloister/src'
const file = `${source}/types/fastify/hooks.generated.ts`
const PARAMETERS = `  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,`

/** @param {string} name @param {string} form @param {boolean} isAsync */
function alias(name, form, isAsync) {
  const hasPayload = form === 'payload'
  const sides = 'HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>'
  const forms = `${isAsync ? 'Async' : ''}HookForms<${sides}${hasPayload ? ', T' : ''}>`
  return `/** A hook \`${name}\`${isAsync ? ' that is asynchronous' : ''}. */
export type ${name}${isAsync ? 'Async' : ''}HookHandler<
${hasPayload ? '  T = unknown,\n' : ''}${PARAMETERS}
> = ${forms}['${form}']
`
}

const { REQUEST_HOOKS } = /** @type {{ REQUEST_HOOKS: Record<string, { form: string }> }} */ (
  await loadSource(path.join(process.cwd(), source, 'hooks/names.ts'))
)
const aliases = Object.entries(REQUEST_HOOKS).flatMap(([name, { form }]) => [
  alias(name, form, false),
  alias(name, form, true),
])
keepWritten(
  file,
  `// Made by \`npm run docs:options\` from the table of request hooks in ${source}/hooks/names.ts. Do not edit.
import type { AsyncHookForms, HookForms, HookSides } from './hooks.ts'
import type { BaseLogger } from '../logger.ts'
import type { FastifySchema, FastifyTypeProvider } from './interfaces.ts'
import type { Http1Server, RawReplyOf, RawRequestOf, RawServer } from '../raw.ts'
import type { RouteGeneric } from '../route-schema.ts'

${aliases.join('\n')}`,
  'the table of hooks',
)

/** The path of a request in ARCHITECTURE.md: the rows of its two tables. */
const page = 'ARCHITECTURE.md'
if (existsSync(page)) {
  const [, requestRows = '', replyRows = ''] = readFileSync(`${source}/request/stages.ts`, 'utf8').split(
    /^export const \w+_STAGES: readonly StageEntry\[\] = \[$/m,
  )
  const line = (/** @type {string} */ rows) =>
    [...rows.matchAll(/^(?: {2}\{| {4})\s*name: '(\w+)'/gm)].map(([, name]) => name).join(' → ')
  const shown = `  → ${line(requestRows)}\n  → ${line(replyRows)} → exchange`
  const text = readFileSync(page, 'utf8').replace(/^ {2}→ deadline .*\n {2}→ .* → write → exchange/m, shown)
  keepWritten(page, text, 'the table of stages')
}
