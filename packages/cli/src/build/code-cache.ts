import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import type { EcmaScriptModule } from 'oxc-parser'

import type { RunExchange, RunOrder } from './exchange-file.ts'
import { meta } from './places.ts'
import { runApp, type Place } from './run-process.ts'

/** The code of a bundle. */
export interface Scripted {
  readonly code: Uint8Array
  /** Why it stays an ES module; `null` if a script has it. */
  readonly problem: string | null
}

/** A part of the code that is written in another form, of the same length. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** In place of `import.meta` and `import`, with as many letters, so that the map of the code stays right. */
const META = 'importMeta_'
const IMPORT = 'load__'

/**
 * Returns an ES module that compiles the code of a bundle as a script: Node has no code cache for ES modules, and V8 takes
 * one for scripts. The module reads the cache from a file beside it, with the ending `.cache`. Without that file, and with
 * one that another version of Node, another platform or another build has written, it compiles the code as usual.
 *
 * @param out - the file that is written later
 */
export async function asScript(code: Uint8Array, out: string): Promise<Scripted> {
  const { parseSync } = await import('oxc-parser')
  const text = Buffer.from(code).toString()
  const { module } = parseSync(out, text)
  const { staticImports, staticExports, importMetas, dynamicImports } = module
  const outside = staticImports.find(({ moduleRequest: { value } }) => !isBuiltin(value))
  // A script has copies of what it gets; what such a module exports may change.
  if (outside !== undefined) return { code, problem: `it imports ${outside.moduleRequest.value}` }
  const exported = exportsOf(module)
  if (exported === null) return { code, problem: 'it exports what it imports' }
  const script = [
    `(async function(${META},${IMPORT},given){'use strict';${staticImports.map(declare).join('')}`,
    rewrite(text, [
      ...[...staticImports, ...staticExports].map(({ start, end }) => ({ start, end, text: '' })),
      ...importMetas.map(({ start, end }) => ({ start, end, text: META })),
      ...dynamicImports.map(({ start }) => ({ start, end: start + IMPORT.length, text: IMPORT })),
    ]),
    `return[${exported.map(({ local }) => local).join(',')}]})`,
  ].join('\n')
  const names = exported.map(({ name }) => name)
  const modules = staticImports.map(({ moduleRequest }) => moduleRequest.value)
  return { code: Buffer.from(moduleOf(script, { names, modules, file: path.basename(out) })), problem: null }
}

/** How many routes get a request before the cache is written. Functions of requests are much the same for all. */
const MAX_ROUTES = 100

/**
 * Writes the code cache of a module of `asScript`, with the functions that its start and one request for each route need.
 * Returns its size in bytes, or why there is none.
 *
 * @param exchanges - requests, with responses
 */
export async function storeCodeCache(
  place: Place,
  order: Pick<RunOrder, 'file' | 'methods' | 'overFetch'>,
  exchanges: readonly RunExchange[],
): Promise<{ readonly uncached: string | null; readonly cacheSize: number }> {
  const requests = new Map<string, RunExchange>()
  for (const exchange of exchanges) {
    const { route = exchange.key, response } = exchange
    if (response !== null && response.status < 300 && !requests.has(route)) requests.set(route, exchange)
  }
  const codeCache = `${order.file}.cache`
  const sent = [...requests.values()].slice(0, MAX_ROUTES)
  const { failure } = await runApp(place, { ...order, requests: sent, codeCache }, 'the built app')
  if (failure !== null) return { uncached: failure, cacheSize: 0 }
  return { uncached: null, cacheSize: (await stat(codeCache)).size }
}

interface Exported {
  readonly name: string
  readonly local: string
}

/** Returns what a module exports of its own; `null` if it exports something else. */
function exportsOf({ staticExports }: EcmaScriptModule): Exported[] | null {
  const exported: Exported[] = []
  for (const { exportName, localName } of staticExports.flatMap(({ entries }) => entries)) {
    const name = exportName.kind === 'Default' ? 'default' : exportName.name
    if (name === null || localName.name === null) return null
    exported.push({ name, local: localName.name })
  }
  return exported
}

/** Declares what an import declares, from the namespace with the same number. */
function declare({ entries }: EcmaScriptModule['staticImports'][number], index: number): string {
  const names = entries.map(({ importName: { kind, name }, localName: { value } }) =>
    kind === 'NamespaceObject'
      ? `${value}=given[${index}]`
      : `{${JSON.stringify(kind === 'Default' ? 'default' : name)}:${value}}=given[${index}]`,
  )
  return names.length === 0 ? '' : `const ${names.join(',')};`
}

/** Writes parts of a text in other forms, filled up with spaces to the same length. */
function rewrite(text: string, edits: readonly Edit[]): string {
  let [result, at] = ['', 0]
  for (const { start, end, text: other } of edits.toSorted((left, right) => left.start - right.start)) {
    result += text.slice(at, start) + other.padEnd(end - start)
    at = end
  }
  return result + text.slice(at)
}

/** What the module around a script needs to know. */
interface ScriptInput {
  /** The names that it exports. */
  readonly names: readonly string[]
  /** The modules of Node that the script gets. */
  readonly modules: readonly string[]
  readonly file: string
}

/*
 * The key at the begin of the cache is compared here, because V8 compares no more of a script than its length. Up to V8 of
 * Node 20, functions of a cache keep the file name of the script that was cached, so there the file must be the same.
 */
function moduleOf(script: string, { names, modules, file }: ScriptInput): string {
  const hash = createHash('sha256').update(script).digest('hex')
  return `// ${file}.cache has this code as Node ${process.versions.node} compiles it. The app runs without it, too.
import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
${modules.map((name, index) => `import * as given${index} from ${JSON.stringify(name)}\n`).join('')}
const script = ${asciiOf(script)}
const { url } = ${meta()}
const { version, platform, arch } = process
const place = Number.parseInt(version.slice(1)) < 22 ? url : ''
const key = ${JSON.stringify(hash)} + \` \${version} \${platform} \${arch} \${place}\\n\`
let cachedData
try {
  const cache = readFileSync(new URL(\`\${url}.cache\`))
  if (cache.latin1Slice(0, key.length) === key) cachedData = cache.subarray(key.length)
} catch {}
const compiled = new Script(script, { filename: url, lineOffset: -1, cachedData, cacheKey: key })
const load = (name, options) => import(name, options)
const exported = await compiled.runInThisContext()(${meta()}, load, [${modules.map((_, index) => `given${index}`).join(', ')}])
const [${names.map((_, index) => `value${index}`).join(', ')}] = exported
export { ${names.map((name, index) => `value${index} as ${JSON.stringify(name)}`).join(', ')} }
//# sourceMappingURL=${file}.map
`
}

/** Prints a text as JSON in ASCII, of which V8 keeps one byte for each letter. */
function asciiOf(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u0080-\uFFFF]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
