import { isInt64, isSchemaObject } from '@cloister/schema/internal'
import type { InspectedRoute } from 'cloister/inspect'

import { Int64Places } from './int64-places.ts'
import { NamedTypes } from './named-types.ts'
import type { Side } from './named-types.ts'
import { failureTypes, refusalTypes, replyTypes } from './reply-types.ts'
import { writeBody, writeHeaders, writeMessages, writeParams, writeQuery } from './request-types.ts'
import type { WritePart } from './request-types.ts'
import { keyRoutes } from './route-key.ts'
import { typeOf } from './schema-type.ts'
import type { Writing } from './schema-type.ts'
import { docComment, print, propertyName, quoted } from './type-text.ts'
import { readBodies, writeIntegers } from './write-integers.ts'

/** What the types of a route cannot express. */
export interface TypesWarning {
  readonly route: string
  /** `file:line` of the route */
  readonly callSite: string | null
  /** the part whose type is unknown, as in `response 200` */
  readonly part: string
  readonly reason: string
  /** what the type is */
  readonly type: 'unknown type' | 'number'
}

export interface WrittenApi {
  readonly text: string
  readonly warnings: readonly TypesWarning[]
  /** whether the text has code: a table that clients read at run time */
  readonly hasCode: boolean
}

export interface ApiOptions {
  /** whether to include errors that no schema declares */
  readonly failures: boolean
}

/** `fetch` refuses requests with these methods. */
const FORBIDDEN = new Set(['CONNECT', 'TRACE', 'TRACK'])
const PARTS: readonly WritePart[] = [writeParams, writeQuery, writeHeaders, writeBody, writeMessages]

/** Writes the table of routes for `@cloister/client`. The order is fixed, so that the same app gives the same text. */
export function writeApi(routes: readonly InspectedRoute[], options: ApiOptions): WrittenApi {
  const warnings: TypesWarning[] = []
  // The route `/` below a prefix is one route with two paths; the table has the one without the slash.
  const shown = routes.filter(
    ({ description, written, isSecondPath }) =>
      !FORBIDDEN.has(description.method) && written['hide'] !== true && !isSecondPath,
  )
  const keyed = keyRoutes(shown)
  const keys = new Set(keyed.map(([key]) => key))
  const bigints = keyed.some(([, { integers }]) => integers === 'bigint')
  const int64 = new Int64Places(bigints ? readBodies(keyed) : [])
  // The app reads what clients send; what it can't read, it refuses at its start.
  const integer: Writing['integer'] = (at, side) => {
    const isBigint = side === 'out' ? int64.isBigint(at) : isSchemaObject(at.schema) && isInt64(at.schema)
    return [bigints && isBigint ? 'bigint' : 'number']
  }
  const names: NamedTypes = new NamedTypes((target, place) =>
    typeOf(target, { ...place, names, file: null, integer }),
  )
  const rows = keyed.map(([key, route]) => {
    const { automatic, callSite } = route.description
    const twin = key.replace(/^HEAD /, 'GET ')
    if (automatic && keys.has(twin)) return `  ${quoted(key)}: Head<Api[${quoted(twin)}]>\n`
    const warn = (part: string, reason: string): void =>
      void warnings.push({ route: key, callSite, part, reason, type: 'unknown type' })
    return writeRow(
      key,
      route,
      { side: 'in', scope: route.scope, route: key, names, file: null, part: '', warn, integer },
      options,
    )
  })
  for (const { root, pointers } of int64.readAsNumbers())
    warnings.push({
      route: root.route,
      callSite: keyed.find(([key]) => key === root.route)?.[1].description.callSite ?? null,
      part: root.key === 'outgoing' ? root.key : `response ${root.key}`,
      type: 'number',
      reason: `the integer with format int64 (${pointers.join(', ')}) may also be another number there; give both the format, or neither`,
    })
  const integers = writeIntegers(int64)
  const head = integers === '' ? 'interface Api' : 'interface Api extends ReadsInt64'
  const tables = [
    `/** The routes of the app: what each takes, and its replies by status. */\nexport ${head} {\n${rows.join('')}}\n`,
    writeNamed(names, 'out', '/** Shared schemas, as responses have them. */\nexport interface Schemas'),
    writeNamed(names, 'in', '/** Shared schemas, as requests take them. */\nexport interface Inputs'),
    integers,
  ]
  const body = tables.filter((table) => table !== '').join('\n')
  return {
    text: `// Written by \`cloister types\`. Do not edit.\n${integers === '' ? '' : IMPORT}${importsOf(body, '@cloister/client', IMPORTED)}\n${body}`,
    warnings,
    hasCode: integers !== '',
  }
}

const IMPORT = "import { exactIntegers } from '@cloister/client/integers'\n"
const IMPORTED = ['Events', 'Failure', 'Head', 'Items', 'Problem', 'RawBody', 'ReadIntegers', 'ReadsInt64']

/** Returns the import for those names of a module that a text uses as types. */
export function importsOf(body: string, module: string, names: readonly string[]): string {
  const code = body.replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/\*\*.*?\*\//g, '')
  const used = names.filter((name) => new RegExp(`(?<![\\w$.?])${name}(?![\\w$?:])`).test(code))
  return used.length === 0 ? '' : `import type { ${used.join(', ')} } from '${module}'\n`
}

function writeRow(key: string, route: InspectedRoute, writing: Writing, { failures }: ApiOptions): string {
  const path = key.split(' ')[1] ?? ''
  const parts = PARTS.flatMap((write) => write(route, writing, path))
  const declared = [...replyTypes(route, { ...writing, side: 'out' }), ...refusalTypes(route)]
  const all = failures ? [...declared, ...failureTypes(route, declared)] : declared
  const replies = all
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([status, type]) => `      ${/^\d+$/.test(status) ? status : propertyName(status)}: ${print(type)}\n`,
    )
  const lines = joinContent(parts).map((part) => `    ${part}\n`)
  const doc = docComment(route.written, '\n')
  return `${doc === '' ? '' : `  ${doc}`}  ${propertyName(key)}: {\n${lines.join('')}    replies: {\n${replies.join('')}    }\n  }\n`
}

/** Joins the entries for `content`: a row has one, for the version of a route and its media types together. */
function joinContent(parts: readonly string[]): string[] {
  const start = 'content:'
  const contents = parts
    .filter((part) => part.startsWith(start))
    .map((part) => `(${part.slice(start.length)})`)
  if (contents.length < 2) return [...parts]
  return [...parts.filter((part) => !part.startsWith(start)), `${start} ${contents.join(' & ')}`]
}

/** Writes the interface of the named types of a side. */
export function writeNamed(names: NamedTypes, side: Side, head: string): string {
  const members = names.of(side).map(([name, { type, schema }]) => {
    const doc = docComment(schema, '\n')
    return `${doc === '' ? '' : `  ${doc}`}  ${propertyName(name)}: ${print(type)}\n`
  })
  return members.length === 0 ? '' : `${head} {\n${members.join('')}}\n`
}
