import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Metafile } from 'esbuild'

import type { Table } from './exchange-file.ts'

/** Methods by which a handler gets a function for a schema of its own. */
const RUN_TIME =
  /\b(?:compileValidationSchema|compileSerializationSchema|validateInput|serializeInput|createSchemaEngine)\b/

/** The modules that define these methods, and those that call them while the app starts. */
const OWN = /[\\/](?:cloister|(?:@cloister|packages)[\\/](?:cloister|schema|state))[\\/]dist[\\/]/

/** Finds a module of a bundle that may use schemas which no start of the app shows: its file and line, or `null`. */
export async function findRunTimeSchemas({ outputs }: Metafile, folder: string): Promise<string | null> {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  for (const [name, { bytesInOutput }] of inputs) {
    // A bundler leaves out what the app does not use.
    if (bytesInOutput === 0) continue
    const file = path.resolve(folder, name)
    const text = OWN.test(file) ? '' : await readFile(file, 'utf8').catch(() => '')
    const found = RUN_TIME.exec(text)
    if (found !== null) return `${name}:${text.slice(0, found.index).split('\n').length}`
  }
  return null
}

/** The features that only what reads schemas needs. */
const OF_READER = ['keywords', 'unions'] as const

const isOfReader = (name: string): boolean => OF_READER.some((one) => name === `cloister/features/${one}`)

/** Whether what reads schemas is in a sealed build, because not all of it is code. */
function isRead({ sealed }: Table): boolean {
  return !sealed.includes('createReader: null')
}

/** Returns the features of a sealed worker. */
export function featuresOfSealed(needed: readonly string[], table: Table): readonly string[] {
  return needed.filter((one) => isRead(table) || !isOfReader(one))
}

/** Returns the features of an open worker: what it starts with may be more than the build has seen. */
export function featuresOfOpen(needed: readonly string[]): readonly string[] {
  return ['cloister/features/core', ...needed]
}

/** What warns of schemas, as the build has done. */
const CHECKED = {
  'normalize/unmatched-values.js': 'export const findUnmatchedValues = () => []\n',
  'normalize/misspelt-names.js': 'export const findMisspeltNames = () => []\n',
} as const

/** Of an app without schemas of headers: the engine refuses the first one. */
const NO_HEADERS = {
  'normalize/header-names.js': `export const findCapitalPatterns = () => []
export const lowerHeaderNames = (schema) => schema
`,
} as const

/** Of an app whose engine has no schema of a query: other schemas of libraries fail the comparison. */
const NO_QUERIES = {
  'routes/schemas/referred-objects.js': `function unseen() {
  throw new TypeError('this build is sealed, and was made without a schema of a query: build again, or with --no-seal')
}
export { unseen as isOfObjects, unseen as referredObjectNames }
`,
} as const

/** What a built worker says about a feature that it does not have. */
export const ADVICE = {
  'worker/feature-advice.js':
    "export const adviceFor = (name) => `which it did not need when it was built: build it again; if only requests need it, with import 'cloister/features/${name}' in the app`\n",
} as const

/** Of a worker, whose options were checked when it was built. */
const OPTIONS = {
  'options/check-schema-options.js': 'export const checkSchemaOptions = () => {}\n',
  'options/option-table.js': "export { OPTIONS, ROUTER_OPTIONS } from '../sealed/option-table.js'\n",
  'options/rows/routes.js': "export { routeOnlyOptions } from '../../sealed/route-rows.js'\n",
} as const

/** Of a worker, whose routes were checked when it was built. */
const ROUTES = {
  'routes/check-route.js': `const nothing = () => {}
export const checkNames = () => []
export const checkUndefined = () => []
export { nothing as checkParts, nothing as checkBodySchema, nothing as checkOptionNames }
`,
  'routes/warn-of-route.js': `const nothing = () => {}
export { nothing as warnOfPath, nothing as warnOfUnread, nothing as warnOfForeignForms }
`,
  'routes/schemas/check-defaults.js': `export const doubtfulParts = () => []
export const checkDefaults = () => null
`,
  'routes/schemas/warn-of-schemas.js': `const nothing = () => {}
export { nothing as warnOfParts, nothing as warnOfPatterns }
`,
} as const

/** Lines of a built file say nothing to a reader, and where a file has all modules, V8 takes long to find one. */
const CALL_SITES = {
  'call-site.js': `export class CallSite {
  constructor(below, plugin = null) { this.plugin = plugin }
  toString() { return 'the built app' }
}
export const userFrame = () => null
export const twiceRegistered = () => ''
export const isOfPackage = () => true
`,
} as const

/** What reports what `strict` would refuse, also of routes. */
const REPORT = 'cloister/features/report'

/** Returns what was checked when a worker was built. */
function checkedOf(features: readonly string[] | null): Record<string, string> {
  if (features === null) return CHECKED
  return { ...CHECKED, ...OPTIONS, ...(features.includes(REPORT) ? {} : ROUTES) }
}

/**
 * Returns what modules of our packages become in a sealed build.
 *
 * @param text - the module with the functions
 * @param features - those of a worker; `null` on Node
 */
export function modulesOfSealed(
  table: Table,
  text: string,
  features: readonly string[] | null,
): Record<string, string> {
  const idle: Record<string, string> = isRead(table)
    ? {}
    : Object.fromEntries(OF_READER.map((one) => [`features/${one}.js`, '']))
  const parts = new Set(Object.values(table.entries).map(({ part }) => part))
  return {
    ...idle,
    ...CALL_SITES,
    ...checkedOf(features),
    ...(parts.has('headers') ? {} : NO_HEADERS),
    ...(parts.has('querystring') ? {} : NO_QUERIES),
    'engine.js': "export { createSchemaEngine } from './sealed/engine.js'\n",
    'sealed/table.js': text,
  }
}
