import { callOf, isNode, nameOf, nodesOf } from '@cloister/cli/internal'
import type { SyntaxNode } from '@cloister/cli/internal'

const SOURCES = ['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration', 'ExportAllDeclaration']

/** Calls that take a module name: to load it, or to replace it in tests. */
const LOADERS = [
  'require',
  'resolve',
  'requireActual',
  'mock',
  'doMock',
  'unmock',
  'importActual',
  'importOriginal',
]

/** The names of Fastify that `cloister` exports. All other types are in `cloister/types`, with these. */
export const AT_CLOISTER: ReadonlySet<string> = new Set([
  'default',
  'errorCodes',
  'fastify',
  'ConstraintStrategy',
  'FastifyBaseLogger',
  'FastifyContextConfig',
  'FastifyError',
  'FastifyInstance',
  'FastifyPluginAsync',
  'FastifyPluginCallback',
  'FastifyPluginOptions',
  'FastifyReply',
  'FastifyRequest',
  'FastifyRequestContext',
  'FastifySchema',
  'FastifyTypeProvider',
  'HookHandlerDoneFunction',
  'InjectOptions',
  'LightMyRequestCallback',
  'LightMyRequestChain',
  'LightMyRequestResponse',
  'LogController',
  'RegisterOptions',
  'RouteGenericInterface',
  'RouteHandlerMethod',
  'RouteOptions',
  'RouteShorthandOptions',
  'SchemaErrorFormatter',
])

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Makes a file import Cloister for Fastify: rewrites module names in imports, type declarations and calls that load
 * modules. Types that `cloister` does not export come from `cloister/types`. Uses the syntax tree, so other texts and
 * comments do not change. Returns the same text if nothing changes.
 */
export async function rewriteImports(file: {
  readonly path: string
  readonly text: string
}): Promise<string> {
  if (!file.text.includes('fastify')) return file.text
  const { parseSync } = await import('oxc-parser')
  const edits = new Map<number, Edit>()
  for (const node of nodesOf(parseSync(file.path, file.text).program)) {
    const name = nameNode(node)
    if (name === null || nameOf(name) !== 'fastify') continue
    for (const edit of editsOf(node, name, file.text)) edits.set(edit.start, edit)
  }
  let text = file.text
  // From the end, so that earlier offsets stay valid.
  for (const { start, end, text: by } of [...edits.values()].toSorted(
    (one, other) => other.start - one.start,
  )) {
    text = text.slice(0, start) + by + text.slice(end)
  }
  return text
}

function nameNode(node: SyntaxNode): SyntaxNode | null {
  const candidates = SOURCES.includes(node.type)
    ? node['source']
    : node.type === 'TSModuleDeclaration'
      ? node['id']
      : node.type === 'TSExternalModuleReference'
        ? node['expression']
        : node.type === 'TSImportType'
          ? (node['source'] ?? node['argument'])
          : callOf(node, ...LOADERS)?.[0]
  const inner = isNode(candidates, 'TSLiteralType') ? candidates['literal'] : candidates
  return isNode(inner, 'Literal') ? inner : null
}

function editsOf(node: SyntaxNode, name: SyntaxNode, text: string): Edit[] {
  const start = name.start + 1
  const to = (module: string): Edit => ({ start, end: start + 'fastify'.length, text: module })
  const { named, others } = specifiersOf(node)
  const elsewhere = named.filter((one) => !AT_CLOISTER.has(takenName(one)))
  if (elsewhere.length === 0) return [to('cloister')]
  const isWhole = others.length === 0 && elsewhere.length === named.length
  if (isWhole || node['importKind'] === 'type' || node['exportKind'] === 'type' || !isImport(node)) {
    return [to('cloister/types')]
  }
  return [to('cloister'), ...moveOut(node, name, elsewhere, text)]
}

/** Takes specifiers out of an import, into one of `cloister/types` behind it. */
function moveOut(node: SyntaxNode, name: SyntaxNode, elsewhere: readonly SyntaxNode[], text: string): Edit[] {
  const { named, others } = specifiersOf(node)
  const shown = (one: SyntaxNode): string => text.slice(one.start, endOf(one))
  const kept = named.filter((one) => !elsewhere.includes(one)).map(shown)
  const quote = text.charAt(name.start)
  const moved = elsewhere.map((one) => shown(one).replace(/^type\s+/, '')).join(', ')
  const first = others[0] ?? named[0] ?? node
  const list = [...others.map(shown), ...(kept.length === 0 ? [] : [`{ ${kept.join(', ')} }`])].join(', ')
  const from = others.length === 0 ? text.lastIndexOf('{', first.start) : first.start
  const until = text.lastIndexOf('}', name.start) + 1
  const end = text.slice(0, endOf(node)).endsWith(';') ? ';' : ''
  const added = `\nimport type { ${moved} } from ${quote}cloister/types${quote}${end}`
  return [
    { start: from, end: until, text: list },
    { start: endOf(node), end: endOf(node), text: added },
  ]
}

const isImport = (node: SyntaxNode): boolean => node.type === 'ImportDeclaration'

/** What a node takes of a module by name, and what it takes as a default or as a whole. */
function specifiersOf(node: SyntaxNode): { named: readonly SyntaxNode[]; others: readonly SyntaxNode[] } {
  const nodes = [...listOf(node['specifiers']), ...listOf(node['qualifier'])]
  if (isNode(node['body'], 'TSModuleBlock'))
    nodes.push(...listOf(node['body']['body']).filter((one) => isNode(one['id'])))
  const isOther = (one: SyntaxNode): boolean => /^Import(?:Default|Namespace)Specifier$/.test(one.type)
  return { named: nodes.filter((one) => !isOther(one)), others: nodes.filter(isOther) }
}

function listOf(value: unknown): readonly SyntaxNode[] {
  return [value].flat().filter((one) => isNode(one))
}

/** The name that the module has for a specifier, a declaration, or the first part of a qualified name. */
function takenName(node: SyntaxNode): string {
  if (node.type === 'TSQualifiedName' && isNode(node['left'])) return takenName(node['left'])
  if (node.type === 'Identifier') return nameOf(node)
  return nameOf(node['imported'] ?? (node.type === 'ExportSpecifier' ? node['local'] : node['id']))
}

function endOf(node: SyntaxNode): number {
  return Number(node['end'])
}
