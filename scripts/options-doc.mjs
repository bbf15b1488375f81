// Generates from the tables of options, those of the app and of routes: the interfaces, and the tables of
// docs/options.md. With `--check`, only reports whether they are up to date.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { keepWritten } from './lib/keep-written.mjs'
import { importsOf } from './lib/type-imports.mjs'
import { loadSource } from './lib/load-source.mjs'

const root = process.cwd()
const source = 'packages/cloister/src'
const page = 'docs/options.md'

/**
 * @typedef {object} Row a row of the table: the members that texts are generated from
 * @property {unknown} default
 * @property {unknown} [strict]
 * @property {{ type: string, checked: string, expected: string, unit?: string, narrows?: true }} kind
 * @property {string} doc
 * @property {string} [fastify4]
 * @property {string} [example]
 * @property {'always' | 'given' | 'routerOptions'} [shown]
 * @property {true} [machine]
 * @property {readonly string[]} [throws]
 * @property {(given: unknown) => { code: string }} [refuse]
 * @property {{ doc: string, kind?: Row['kind'], refuse?: Row['refuse'], throws?: Row['throws'] }} [route]
 *
 * @typedef {object} RouteOnlyRow an option that only routes have
 * @property {string} [type]
 * @property {string} [default]
 * @property {string} doc
 * @property {string} [example]
 * @property {string} [deprecated]
 * @property {readonly string[]} [throws]
 *
 * @typedef {[name: string, row: Row]} Entry
 */

const HEAD = `// Made by \`npm run docs:options\` from the rows in ${source}/options/rows. Do not edit.`

/** Types of Node in options. */
const NODE_TYPES = {
  HttpServerOptions: "import type { ServerOptions as HttpServerOptions } from 'node:http'",
  SecureServerOptions: "import type { SecureServerOptions } from 'node:http2'",
  HttpsServerOptions: "import type { ServerOptions as HttpsServerOptions } from 'node:https'",
  Socket: "import type { Socket } from 'node:net'",
}

/** Where the types of checked options come from. */
const CHECKED_IMPORTS = Object.entries({
  HttpServerOptions: "import type { ServerOptions as HttpServerOptions } from 'node:http'",
  AnyFunction: "import type { AnyFunction } from '../guards.ts'",
  TrustedHops: "import type { TrustedHops } from '../types/options.ts'",
})

/** @param {Row} row */
function defaultOf({ default: value }) {
  return JSON.stringify(value) ?? 'undefined'
}

/**
 * Breaks a text into lines.
 *
 * @param {string} text @param {number} width
 */
function wrap(text, width) {
  /** @type {string[]} */
  const lines = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** @param {Row} row */
function throwsOf({ kind, throws = [], refuse }) {
  const others = throws.map((name) => `@throws \`CLO_ERR_${name}\``)
  if (refuse !== undefined) others.unshift(`@throws \`${refuse('').code}\` unless it is ${kind.expected}`)
  else if (kind.narrows) others.unshift(`@throws \`CLO_ERR_INIT_OPTS_INVALID\` unless it is ${kind.expected}`)
  return others
}

/**
 * Returns what a hover text says about Fastify 4.x; empty if it is the same.
 *
 * @param {string} note
 */
function comparison(note) {
  const [kind = '', detail = ''] = note.split(/: (.*)/s, 2)
  if (note === 'same') return ''
  if (note === 'ours') return 'Not in Fastify.'
  if (kind === 'ours' || kind === 'differs') return `Differs from Fastify 4.x: ${detail}.`
  return note.startsWith('same') ? `As in Fastify 4.x${note.slice(4)}.` : `From Fastify ${note}.`
}

/**
 * Returns how the option `strict` changes an option.
 *
 * @param {Row} row
 */
function strictNote({ strict }) {
  return strict === undefined ? '' : ` With \`strict\`: \`${JSON.stringify(strict)}\`.`
}

/** @param {Row} row */
const routeNote = ({ route }) => (route === undefined ? '' : ' Routes can set their own.')

/**
 * Returns the hover text of an option.
 *
 * @param {Row} row
 */
function commentOf(row) {
  const { doc, kind, fastify4 = 'same', example } = row
  const text = withoutLinks(doc) + routeNote(row) + strictNote(row)
  const unit = kind.unit === undefined ? '' : `Unit: ${kind.unit}.`
  const note = [unit, comparison(fastify4)].filter((part) => part !== '').join(' ')
  const paragraphs = [text, note].filter((part) => part !== '').map((part) => wrap(part, 112))
  const tags = [`@default ${defaultOf(row)}`, ...throwsOf(row)]
  const shown = example === undefined ? [] : ['@example', '```ts', `cloister(${example})`, '```']
  const lines = [...paragraphs.flatMap((part) => [...part, '']), ...tags, ...shown]
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n')
}

/** @param {string} text */
const withoutLinks = (text) => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')

/**
 * Returns a member of the options of a route.
 *
 * @param {{ name: string, type: string, default?: string, doc: string, unit?: string, tags: readonly string[], example?: string }} option
 */
function routeMember({ name, type, default: byDefault = 'none', doc, unit, tags, example }) {
  const paragraphs = [doc, ...(unit === undefined ? [] : [`Unit: ${unit}.`])].map((text) => wrap(text, 112))
  const shown =
    example === undefined ? [] : ['@example', '```ts', `app.get('/', ${example}, () => 'two')`, '```']
  const value = byDefault.replaceAll(/^`|`$/g, '').replace(/^of the context$/, 'the one of the context')
  const lines = [
    ...paragraphs.flatMap((part) => [...part, '']),
    ...(byDefault === 'none' ? [] : [`@default ${value}`]),
    ...tags,
    ...shown,
  ]
  return `${['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n')}\n  ${name}?: ${type}`
}

/** @param {readonly string[]} [names] */
const thrown = (names = []) => names.map((name) => `@throws \`CLO_ERR_${name}\``)

/**
 * Returns the members of the options of a route: those that only routes have, and those that apps have too.
 *
 * @param {readonly Entry[]} entries @param {Readonly<Record<string, RouteOnlyRow>>} routeOnly
 */
function routeMembers(entries, routeOnly) {
  const own = Object.entries(routeOnly).flatMap(([name, row]) => {
    const { type, deprecated } = row
    if (type === undefined) return []
    const tags = [...thrown(row.throws), ...(deprecated === undefined ? [] : [`@deprecated ${deprecated}`])]
    return [routeMember({ ...row, type, name, tags })]
  })
  const shared = entries.flatMap(([name, { kind: ofApp, route }]) => {
    if (route === undefined) return []
    const { doc, kind = ofApp, refuse } = route
    const code = refuse?.('').code ?? 'CLO_ERR_ROUTE_OPTION_INVALID'
    const tags = [`@throws \`${code}\` unless it is ${kind.expected}`, ...thrown(route.throws)]
    const unit = kind.unit === undefined ? {} : { unit: kind.unit }
    const byDefault = `the option \`${name}\` of the app`
    return [routeMember({ name, type: kind.type, default: byDefault, doc, tags, ...unit })]
  })
  return [...own, ...shared].join('\n')
}

/**
 * Returns the rows of the table of route options.
 *
 * @param {readonly Entry[]} entries @param {Readonly<Record<string, RouteOnlyRow>>} routeOnly
 */
function routeRows(entries, routeOnly) {
  const own = Object.entries(routeOnly).map(([name, { default: byDefault = 'none', doc, deprecated }]) => [
    name,
    byDefault,
    deprecated === undefined ? doc : `${doc} ${deprecated}`,
  ])
  const shared = entries.flatMap(([name, { route }]) =>
    route === undefined ? [] : [[name, `the option \`${name}\` of the app`, route.doc]],
  )
  return [...own, ...shared].map(
    ([name, ...cells]) => `| \`${name}\` | ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )
}

/** @param {readonly Entry[]} entries */
function members(entries) {
  return entries.map(([name, row]) => `${commentOf(row)}\n  ${name}?: ${row.kind.type}`).join('\n')
}

/**
 * Returns the interfaces for applications.
 *
 * @param {readonly Entry[]} entries @param {Readonly<Record<string, RouteOnlyRow>>} routeOnly
 */
function publicTypes(entries, routeOnly) {
  const router = entries.filter(([name]) => ROUTER_OPTIONS.includes(name))
  const others = entries.filter(([name]) => !ROUTER_OPTIONS.includes(name))
  const shown = entries
    .filter(([, row]) => row.shown === 'always' || row.shown === 'given')
    .map(([name]) => `  | '${name}'`)
  const types = [
    ...entries.map(([, { kind }]) => kind.type),
    ...Object.values(routeOnly).map(({ type }) => type ?? ''),
  ]
  const names = types.flatMap((type) => type.match(/\b[A-Z]\w+/g) ?? [])
  const wanted = new Set(['RawServer', ...names].filter((name) => !['Raw', 'Record'].includes(name)))
  const nodes = Object.entries(NODE_TYPES).flatMap(([name, line]) => (wanted.delete(name) ? line : []))
  return `${[HEAD, ...nodes, ...importsOf(wanted, `${source}/types`)].join('\n')}

/** Options of the router. The factory accepts them directly and in \`routerOptions\`. */
export interface RouterOptions {
${members(router)}
}

/** Options of the factory, without those that hold other options. */
export interface FactoryOptions<Raw extends RawServer = RawServer> extends RouterOptions {
${members(others)}
}

/** Options of a route whose types do not depend on its schema. */
export interface PlainRouteOptions {
${routeMembers(entries, routeOnly)}
}

/** The options that \`app.initialConfig\` has. */
export type ShownOption =
${shown.join('\n')}
`
}

/**
 * Returns the interface of the checked options.
 *
 * @param {readonly Entry[]} entries
 */
function checkedTypes(entries) {
  const lines = entries.map(([name, { kind, default: value }]) => {
    const none = value === null && !/\bnull$|^unknown$/.test(kind.checked) ? ' | null' : ''
    return `  readonly ${name}: ${kind.checked}${none}`
  })
  const shared = entries.flatMap(([name, { route }]) => (route === undefined ? [] : `  | '${name}'`))
  const imports = CHECKED_IMPORTS.filter(([name]) => lines.some((line) => line.includes(name)))
  return `${[HEAD, ...imports.map(([, line]) => line)].join('\n')}

/** The checked options of an app, with the defaults of the rows; frozen. */
export interface AppOptions {
${lines.join('\n')}
}

/** The options of an app that routes can set, too. */
export type SharedOption =
${shared.join('\n')}
`
}

/** @param {Entry} entry */
function tableRow([name, row]) {
  const unit =
    row.kind.unit === undefined ? '' : ` ${row.kind.unit === 'milliseconds' ? 'ms' : row.kind.unit}`
  const cells = [
    `\`${name}\``,
    `\`${defaultOf(row)}\`${unit}`,
    row.doc + routeNote(row) + strictNote(row),
    row.fastify4 ?? 'same',
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/**
 * Returns the sections of the page: options that tune the machine have one of their own.
 *
 * @param {Readonly<Record<string, Readonly<Record<string, Row>>>>} groups
 * @returns {Record<string, Record<string, Row>>}
 */
function sectionsOf(groups) {
  const rows = Object.entries(groups).map(([group, all]) => ({ group, all: Object.entries(all) }))
  const sections = rows.map(({ group, all }) => ({
    group,
    all: all.filter(([, row]) => row.machine !== true),
  }))
  const machine = rows.flatMap(({ all }) => all.filter(([, row]) => row.machine === true))
  const shown = machine.length === 0 ? sections : [...sections, { group: 'machine', all: machine }]
  return Object.fromEntries(shown.map(({ group, all }) => [group, Object.fromEntries(all)]))
}

/**
 * Replaces the tables of the page; the text around them does not change.
 *
 * @param {string} text @param {Readonly<Record<string, Readonly<Record<string, Row>>>>} sections
 * @param {readonly string[]} ofRoutes
 */
function withTables(text, sections, ofRoutes) {
  const seen = new Set()
  const written = text.replaceAll(
    /(<!-- options: (\w+) -->\n)[^]*?(<!-- end of options -->)/g,
    (_all, start, section, end) => {
      if (section === 'routes') {
        return `${start}\n| option | default | what it does |\n|---|---|---|\n${ofRoutes.join('\n')}\n\n${end}`
      }
      const rows = sections[section]
      if (rows === undefined)
        throw new Error(`${page} has a section of options '${section}'; the table has none`)
      seen.add(section)
      const lines = Object.entries(rows).map(tableRow).join('\n')
      return `${start}\n| option | default | what it does | Fastify 4.x |\n|---|---|---|---|\n${lines}\n\n${end}`
    },
  )
  const missing = Object.keys(sections).filter((section) => !seen.has(section))
  if (missing.length > 0) throw new Error(`${page} has no table for the options of: ${missing.join(', ')}`)
  return written
}

/** @typedef {{ optionSections: Record<string, Record<string, Row>>, ROUTER_OPTIONS: readonly string[] }} OptionTable */

const { optionSections, ROUTER_OPTIONS } = /** @type {OptionTable} */ (
  await loadSource(path.join(root, source, 'options/option-table.ts'))
)
const { routeOnlyOptions } = /** @type {{ routeOnlyOptions: Record<string, RouteOnlyRow> }} */ (
  await loadSource(path.join(root, source, 'options/rows/routes.ts'))
)
const entries = Object.values(optionSections).flatMap((rows) => Object.entries(rows))
/** @type {ReadonlyMap<string, string>} */
const wanted = new Map([
  [`${source}/types/options.generated.ts`, publicTypes(entries, routeOnlyOptions)],
  [`${source}/options/checked-options.generated.ts`, checkedTypes(entries)],
  [
    page,
    withTables(
      readFileSync(path.join(root, page), 'utf8'),
      sectionsOf(optionSections),
      routeRows(entries, routeOnlyOptions),
    ),
  ],
])

for (const [file, text] of wanted) keepWritten(file, text, 'the table of options')
