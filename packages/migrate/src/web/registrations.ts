import { callOf, isFunctionNode, isNode, nameOf, nodesOf } from '@cloister/cli/internal'
import type { SyntaxNode } from '@cloister/cli/internal'
import type { Given } from './equal.ts'
import { literalOf, propertiesOf, unwrapped } from './literal.ts'
import { OLD_NAMES } from './peers.ts'

/** A source file, and its syntax tree. */
export interface ParsedFile {
  readonly name: string
  readonly text: string
  readonly nodes: readonly SyntaxNode[]
}

/** Where a source file registers a plugin, and with which options. */
export interface Registration {
  readonly plugin: string
  readonly callSite: string
  /** The options by their names; `null` if they are not an object in this file. */
  readonly given: Readonly<Record<string, Given>> | null
  /** Source text of options that can't be read. */
  readonly unread: readonly string[]
}

/** A source file that loads a plugin and does not register it itself. */
export interface LoadedOnly {
  readonly plugin: string
  readonly callSite: string
}

/** Returns `file:line` of a node. */
export const callSiteOf = ({ name, text }: ParsedFile, { start }: SyntaxNode): string =>
  `${name}:${text.slice(0, start).split('\n').length}`

/** Finds the registrations of plugins in a file, and plugins that are loaded for something else. */
export function registrationsIn(
  file: ParsedFile,
  isPeer: (name: string) => boolean,
): { readonly registrations: Registration[]; readonly loaded: LoadedOnly[] } {
  const peerOf = (node: unknown): string | null => {
    const name = moduleNameOf(node)
    const current = OLD_NAMES[name] ?? name
    return isPeer(current) ? current : null
  }
  const bindings = bindingsOf(file, peerOf)
  const registrations = file.nodes.flatMap((node) => {
    const [first, options] = callOf(node, 'register') ?? []
    if (!isNode(first)) return []
    const plugin = peerOf(unwrapped(first)) ?? bindings.get(nameOf(objectOrSelf(first)))?.plugin
    return plugin === undefined ? [] : [registration(file, node, plugin, options)]
  })
  const registered = new Set(registrations.map(({ plugin }) => plugin))
  const loaded = [...bindings.values()].filter(({ plugin }) => !registered.has(plugin))
  return { registrations, loaded: [...new Map(loaded.map((one) => [one.plugin, one])).values()] }
}

/** `cors` of `cors.default`. */
function objectOrSelf(given: SyntaxNode): SyntaxNode {
  const node = unwrapped(given)
  const { object } = node
  return node.type === 'MemberExpression' && isNode(object, 'Identifier') ? object : node
}

/** Returns the name of the module that `require(…)`, `import(…)` or `await import(…)` loads. */
function moduleNameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'AwaitExpression') return moduleNameOf(node['argument'])
  if (node.type === 'MemberExpression') return moduleNameOf(node['object'])
  return nameOf(node.type === 'ImportExpression' ? node['source'] : callOf(node, 'require')?.[0])
}

/** The names in a file that stand for plugins. */
function bindingsOf(
  file: ParsedFile,
  peerOf: (node: unknown) => string | null,
): ReadonlyMap<string, LoadedOnly> {
  const bindings = new Map<string, LoadedOnly>()
  const add = (names: readonly unknown[], plugin: string | null, node: SyntaxNode): void => {
    if (plugin === null) return
    for (const name of names) bindings.set(nameOf(name), { plugin, callSite: callSiteOf(file, node) })
  }
  for (const node of file.nodes) {
    if (node.type === 'ImportDeclaration' && node['importKind'] !== 'type') {
      const specifiers: unknown[] = Array.isArray(node['specifiers']) ? node['specifiers'] : []
      const locals = specifiers
        .filter((one) => isNode(one))
        .filter((one) => one['importKind'] !== 'type')
        .map((one) => one['local'])
      add(locals, peerOf({ type: 'ImportExpression', start: 0, source: node['source'] }), node)
    } else if (node.type === 'TSImportEqualsDeclaration') {
      const reference = node['moduleReference']
      const source = isNode(reference) ? reference['expression'] : null
      add([node['id']], peerOf({ type: 'ImportExpression', start: 0, source }), node)
    } else if (node.type === 'VariableDeclarator' && isNode(node['init'])) {
      const { id } = node
      const names = isNode(id, 'ObjectPattern') ? propertiesOf(id).map(({ value }) => value) : [id]
      add(names, peerOf(unwrapped(node['init'])), node)
    }
  }
  return bindings
}

function registration(file: ParsedFile, node: SyntaxNode, plugin: string, options: unknown): Registration {
  const found = { plugin, callSite: callSiteOf(file, node) }
  if (options === undefined) return { ...found, given: {}, unread: [] }
  const resolved = isNode(options) ? resolve(file, unwrapped(options)) : null
  // The plugin of CORS takes a function that finds the options of a request.
  if (isFunctionNode(resolved)) return { ...found, given: { delegator: givenOf(file, resolved) }, unread: [] }
  if (!isNode(resolved, 'ObjectExpression')) {
    return { ...found, given: null, unread: [isNode(options) ? textOf(file, options) : '…'] }
  }
  return { ...found, ...optionsIn(file, resolved) }
}

/** Returns the options of an object literal, and the texts of members that have no name here. */
export function optionsIn(
  file: ParsedFile,
  node: SyntaxNode,
): { readonly given: Readonly<Record<string, Given>>; readonly unread: readonly string[] } {
  const members = propertiesOf(node)
  const known = members.filter((one): one is typeof one & { readonly name: string } => one.name !== null)
  return {
    given: Object.fromEntries(known.map(({ name, value }) => [name, givenOf(file, value)])),
    unread: members.filter(({ name }) => name === null).map(({ value }) => `...${textOf(file, value)}`),
  }
}

function givenOf(file: ParsedFile, value: SyntaxNode): Given {
  const node = unwrapped(value)
  return { node, text: textOf(file, node), literal: literalOf(node) }
}

const textOf = ({ text }: ParsedFile, { start, ...node }: SyntaxNode): string =>
  text.slice(start, Number(node['end']))

/** Follows a name to the constant of this file. */
function resolve(file: ParsedFile, node: SyntaxNode): SyntaxNode {
  if (node.type !== 'Identifier') return node
  const found = file.nodes.filter(
    (one) => one.type === 'VariableDeclarator' && nameOf(one['id']) === nameOf(node),
  )
  const init = found.length === 1 ? found[0]?.['init'] : undefined
  return isNode(init) ? unwrapped(init) : node
}

/** Parses source files. */
export async function parseFiles(
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<ParsedFile[]> {
  const { parseSync } = await import('oxc-parser')
  return files.map(({ name, text }) => ({ name, text, nodes: [...nodesOf(parseSync(name, text).program)] }))
}
