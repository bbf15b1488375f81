// Removes the texts of options for `docs/options.md` and hover texts: nothing reads them at run time.
import { childrenOf, nameOf } from './syntax.mjs'

const ROWS = /[\\/]options[\\/]rows[\\/][\w-]+\.js$/
const TEXTS = new Set(['doc', 'example', 'fastify4', 'throws'])

/** @typedef {import('./syntax.mjs').Syntax} Syntax */

/** Removes the texts from a bundle. @returns {import('rolldown').Plugin} */
export function withoutDocs() {
  return {
    name: 'without-docs',
    transform(code, id) {
      if (!ROWS.test(id)) return null
      const found = textsIn(/** @type {Syntax} */ (/** @type {unknown} */ (this.parse(code))), code)
      if (found.length === 0) throw new Error(`${id}: no row has a text; have its fields other names now?`)
      let kept = code
      for (const { start, end } of found.toReversed()) kept = kept.slice(0, start) + kept.slice(end)
      return kept
    },
  }
}

/**
 * Returns the properties with texts, each with the comma after it. @param {Syntax} node @param {string} code
 * @returns {{ start: number, end: number }[]}
 */
function textsIn(node, code) {
  if (node.type === 'Property' && TEXTS.has(nameOf(node['key']))) {
    const [comma = ''] = /^\s*,/.exec(code.slice(node.end)) ?? []
    return [{ start: node.start, end: node.end + comma.length }]
  }
  return childrenOf(node).flatMap((child) => textsIn(child, code))
}
