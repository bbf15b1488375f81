import type { LoadNode } from '../boot/plugins/load-node.ts'

/** A plugin as it was loaded. */
export interface PluginDescription {
  readonly name: string
  /** how long it took to load, its children included */
  readonly tookMs: number
  readonly children: readonly PluginDescription[]
}

/** Describes the plugins as a tree, in the order of loading; callbacks of `after` are no plugins. */
export function describePlugins({ name, tookMs, children }: LoadNode): PluginDescription {
  const plugins = children.filter((child) => child.name !== 'after')
  return { name, tookMs, children: plugins.map((child) => describePlugins(child)) }
}

/** Prints the plugins as a tree of text, with the milliseconds that each took. */
export function printPlugins(plugin: PluginDescription): string {
  return printTree(plugin, '', '')
}

function printTree({ name, tookMs, children }: PluginDescription, start: string, indent: string): string {
  const line = `${start}${name} ${Math.round(tookMs)} ms\n`
  const rest = children.map((child, index) =>
    index === children.length - 1
      ? printTree(child, `${indent}└── `, `${indent}    `)
      : printTree(child, `${indent}├── `, `${indent}│   `),
  )
  return line + rest.join('')
}
