import { formatRatio, formatTable } from '../support/table.ts'
import { contextCount, layouts, type Layout } from './app.ts'
import type { BootFigures } from './measure.ts'
import { bootSubjectNames, type BootSubjectName } from './subject.ts'

/** The figures of one row: a subject in a layout with a number of routes. */
export interface Row {
  readonly subject: BootSubjectName
  readonly routes: number
  readonly layout: Layout
  readonly figures: BootFigures
}

const peers = ['fastify5', 'fastify4'] as const

/** Prints the figures of all subjects in one layout with one number of routes, and what they are beside the peers. */
export function printGroup(group: readonly Row[]): void {
  const [first] = group
  if (first === undefined) return
  const beside = (ratio: (peer: BootFigures) => number): string[] =>
    peers.map((name) => {
      const peer = group.find((row) => row.subject === name)?.figures
      return formatRatio(peer === undefined ? Number.NaN : ratio(peer))
    })
  console.log(`\n${first.routes} routes, ${first.layout}`)
  console.log(
    formatTable(
      [
        'subject',
        'import ms',
        'ready ms',
        ...peers.map((name) => `${name}/ready`),
        'heap MB',
        ...peers.map((name) => `heap/${name}`),
        'RSS MB',
        ...peers.map((name) => `RSS/${name}`),
        'first hit ms',
        'most',
        'warm hit ms',
      ],
      group.map(({ subject, figures }) => [
        subject,
        figures.importMs.toFixed(0),
        figures.readyMs.toFixed(1),
        ...beside((peer) => peer.readyMs / figures.readyMs),
        figures.heapMb.toFixed(1),
        ...beside((peer) => figures.heapMb / peer.heapMb),
        figures.rssMb.toFixed(0),
        ...beside((peer) => figures.rssMb / peer.rssMb),
        figures.firstHitMedianMs.toFixed(2),
        figures.firstHitMostMs.toFixed(2),
        figures.warmHitMedianMs.toFixed(2),
      ]),
    ),
  )
}

/** Prints what one more route costs: the growth from the fewest routes of a layout to the most. */
export function printRouteCost(rows: readonly Row[]): void {
  const costs = layouts.flatMap((layout) =>
    bootSubjectNames.flatMap((subject) => {
      const all = rows
        .filter((row) => row.layout === layout && row.subject === subject)
        .toSorted((a, b) => a.routes - b.routes)
      const fewest = all.at(0)
      const most = all.at(-1)
      if (fewest === undefined || most === undefined || fewest.routes === most.routes) return []
      return [{ title: `${layout}, ${subject}`, ...growth(fewest, most, most.routes - fewest.routes) }]
    }),
  )
  printCosts('One more route', ['layout', 'ms per route', 'KB of heap per route'], costs)
}

/** Prints what one more context costs, plain and with a schema of its own: (50 contexts - all in the root) / 50. */
export function printContextCost(rows: readonly Row[]): void {
  const costs = rows
    .filter((row) => row.layout === 'contexts' || row.layout === 'contexts-own-schema')
    .flatMap((row) => {
      const root = rows.find(
        (other) => other.layout === 'root' && other.subject === row.subject && other.routes === row.routes,
      )
      if (root === undefined) return []
      const title = `${row.routes} routes, ${row.layout}, ${row.subject}`
      return [{ title, ...growth(root, row, contextCount) }]
    })
  printCosts('One more context', ['application', 'ms per context', 'KB of heap per context'], costs)
}

interface Cost {
  readonly title: string
  readonly readyMs: number
  readonly heapKb: number
}

function growth(from: Row, to: Row, count: number): Omit<Cost, 'title'> {
  return {
    readyMs: (to.figures.readyMs - from.figures.readyMs) / count,
    heapKb: ((to.figures.heapMb - from.figures.heapMb) * 1024) / count,
  }
}

function printCosts(caption: string, header: readonly string[], costs: readonly Cost[]): void {
  if (costs.length === 0) return
  console.log(`\n${caption}`)
  console.log(
    formatTable(
      header,
      costs.map(({ title, readyMs, heapKb }) => [title, readyMs.toFixed(3), heapKb.toFixed(1)]),
    ),
  )
}
