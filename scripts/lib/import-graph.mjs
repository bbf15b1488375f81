// The graph of relative imports below a folder, and its circles.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { readModule, typescriptFiles } from './modules.mjs'

/** @typedef {{ target: string, typeOnly: boolean }} Edge */

/** Returns the room of a file: the first folder below `src`, or the name of a file in `src` itself.
 * @param {string} src @param {string} file */
export function roomOf(src, file) {
  const [first = ''] = path.relative(src, file).split(path.sep)
  return first.replace(/\.ts$/, '')
}

/** Returns every file below `src` with the files that it imports.
 * @param {string} src @returns {Map<string, Edge[]>} */
export function graphOf(src) {
  /** @type {Map<string, Edge[]>} */
  const graph = new Map()
  for (const file of typescriptFiles(src)) {
    const edges = readModule(file)
      .imports.filter(({ from }) => from.startsWith('.'))
      .map(({ from, typeOnly }) => ({ target: path.resolve(path.dirname(file), from), typeOnly }))
      .filter(({ target }) => target.endsWith('.ts') && existsSync(target))
    graph.set(file, edges)
  }
  return graph
}

/**
 * Returns the circles of a graph: sets of files that all reach each other (strongly connected components, by
 * Tarjan's algorithm), the largest first.
 *
 * @param {Map<string, Edge[]>} graph
 * @param {boolean} withTypes follow imports of types too
 * @returns {string[][]}
 */
export function circlesOf(graph, withTypes) {
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const marks = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const circles = []

  /** @param {string} file */
  function visit(file) {
    const mark = { index: marks.size, low: marks.size, open: true }
    marks.set(file, mark)
    stack.push(file)
    for (const { target, typeOnly } of graph.get(file) ?? []) {
      if (typeOnly && !withTypes) continue
      const seen = marks.get(target)
      if (seen === undefined) mark.low = Math.min(mark.low, visit(target).low)
      else if (seen.open) mark.low = Math.min(mark.low, seen.index)
    }
    if (mark.low === mark.index) {
      const circle = stack.splice(stack.indexOf(file))
      for (const member of circle) {
        const closed = marks.get(member)
        if (closed !== undefined) closed.open = false
      }
      if (circle.length > 1) circles.push(circle)
    }
    return mark
  }

  for (const file of graph.keys()) if (!marks.has(file)) visit(file)
  return circles.toSorted((a, b) => b.length - a.length)
}
