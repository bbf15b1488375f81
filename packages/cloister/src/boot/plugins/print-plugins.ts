import type { LoadNode } from './load-node.ts'

/** The plugins as a tree of text, with the milliseconds that each took. */
export function printPlugins(root: LoadNode): string {
  return `${describe(root)}\n${printChildren(root, '')}`
}

function describe(node: LoadNode): string {
  return `${node.name} ${Math.round(node.tookMs)} ms`
}

function printChildren(node: LoadNode, indent: string): string {
  const children = node.children.filter(({ name }) => name !== 'after')
  return children
    .map((child, index) => {
      const isLast = index === children.length - 1
      const branch = isLast ? '└── ' : '├── '
      return `${indent}${branch}${describe(child)}\n${printChildren(child, indent + (isLast ? '    ' : '│   '))}`
    })
    .join('')
}
