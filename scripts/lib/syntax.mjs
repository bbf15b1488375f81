// What plugins of the bundler read in a parsed module.

/** @typedef {{ type: string, start: number, end: number, [name: string]: unknown }} Syntax */

/** @param {unknown} value @returns {value is Syntax} */
export function isSyntax(value) {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** The nodes directly below one. @param {Syntax} node */
export function childrenOf(node) {
  return Object.values(node)
    .flat()
    .filter((child) => isSyntax(child))
}

/** The name of an identifier, with the sign of a private one. @param {unknown} node */
export function nameOf(node) {
  if (!isSyntax(node) || typeof node['name'] !== 'string') return ''
  return node.type === 'PrivateIdentifier' ? `#${node['name']}` : node['name']
}
