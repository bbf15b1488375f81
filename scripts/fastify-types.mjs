// Writes the type names of Fastify from their table and that of the hooks. With `--check`, only reports whether they
// are up to date.
import path from 'node:path'
import { ALIASES, SAME } from './lib/fastify-names.mjs'
import { aliasText, requestHook, routeInterfaces } from './lib/fastify-text.mjs'
import { keepWritten } from './lib/keep-written.mjs'
import { loadSource } from './lib/load-source.mjs'
import { exportersOf, importsOf } from './lib/type-imports.mjs'

const source = 'packages/cloister/src'
const folder = `${source}/types`
const file = `${folder}/fastify/names.generated.ts`

/** Types that are exported under another name, or come from other modules. */
const FOREIGN = [
  "import type { Buffer } from 'node:buffer'",
  "import type { CloisterError, ErrorCode } from '../errors.ts'",
  "import type { LogFn } from '../logger.ts'",
  "import type { RouteGeneric as RouteGenericInterface } from '../route-schema.ts'",
  "export type { CallbackFunc as LightMyRequestCallback, Chain as LightMyRequestChain, InjectOptions, Response as LightMyRequestResponse } from 'light-my-request'",
]

const { REQUEST_HOOKS } = /** @type {{ REQUEST_HOOKS: Record<string, { form: 'request' }> }} */ (
  await loadSource(path.join(process.cwd(), source, 'hooks/names.ts'))
)
const hooks = Object.entries(REQUEST_HOOKS).map(([name, { form }]) => /** @type {const} */ ([name, form]))
const rows = [...Object.entries(ALIASES), ...hooks.flatMap(([name, form]) => requestHook(name, form))]
const text = [...rows.map(([name, row]) => aliasText(name, row)), routeInterfaces(hooks)].join('\n')

const code = text.replaceAll(/\/\*\*.*?\*\/|'[^']*'/g, '')
const declared = new Set(
  [...code.matchAll(/^(?:export )?(?:type|interface) (\w+)/gm)].map(([, name]) => name),
)
const exporters = exportersOf(folder)
const wanted = new Set(
  code.match(/\b[A-Z]\w+/g)?.filter((name) => exporters.has(name) && !declared.has(name)),
)
const same = Object.entries(SAME).map(([name, own]) => /** @type {const} */ ([own, name]))

keepWritten(
  file,
  `${[
    '// Made by `npm run docs:options` from scripts/lib/fastify-names.mjs and the table of hooks. Do not edit.',
    ...FOREIGN,
    ...importsOf(wanted, folder, { from: `${folder}/fastify` }),
    ...importsOf(same, folder, { from: `${folder}/fastify`, verb: 'export' }),
  ].join('\n')}

type OneOrMany<T> = T | T[]

${text}`,
  'the names of Fastify and the table of hooks',
)
