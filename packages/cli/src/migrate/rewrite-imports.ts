import { callOf, isNode, nameOf, nodesOf } from '../doctor/syntax.ts'
import type { SyntaxNode } from '../doctor/syntax.ts'

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

/**
 * Rewrites module names in imports, type declarations and calls that load modules. Uses the syntax tree, so other
 * texts and comments do not change. Returns the same text if nothing changes.
 *
 * @param names - the new names by the old ones
 */
export async function rewriteImports(
  file: { readonly path: string; readonly text: string },
  names: Readonly<Record<string, string>>,
): Promise<string> {
  if (!Object.keys(names).some((name) => file.text.includes(name))) return file.text
  const { parseSync } = await import('oxc-parser')
  const found = new Map<number, SyntaxNode>()
  for (const node of nodesOf(parseSync(file.path, file.text).program)) {
    const name = nameNode(node)
    if (name !== null && names[nameOf(name)] !== undefined) found.set(name.start, name)
  }
  let text = file.text
  // From the end, so that earlier offsets stay valid.
  for (const [start, node] of [...found].toSorted(([one], [other]) => other - one)) {
    const length = nameOf(node).length
    text = text.slice(0, start + 1) + (names[nameOf(node)] ?? '') + text.slice(start + 1 + length)
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
