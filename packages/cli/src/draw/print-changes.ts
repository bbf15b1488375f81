import { printCallSite, styled } from '../text.ts'
import type { Paper } from '../text.ts'
import type { RouteChange } from './route-facts.ts'

const KINDS = { new: ' (new)', gone: ' (gone)', changed: '' } as const
const SIGNS = [
  ['lost', '-', 'red'],
  ['gained', '+', 'green'],
  ['changed', '~', 'yellow'],
] as const

/** Prints what routes have gained and lost: one line for each, below the route and its call site. */
export function printChanges(changes: readonly RouteChange[], paper: Paper): string {
  const blocks = changes.map((change) => {
    const { route, kind, callSite } = change
    // A removed route has a call site in the other revision, whose checkout is deleted.
    const place =
      callSite === null || kind === 'gone'
        ? ''
        : `  ${styled(printCallSite(callSite, paper.folder), 'dim', paper)}`
    const lines = SIGNS.flatMap(([what, sign, style]) =>
      change[what].map((fact) => `  ${styled(`${sign} ${fact}`, style, paper)}\n`),
    )
    return `${styled(route, 'bold', paper)}${KINDS[kind]}${place}\n${lines.join('')}`
  })
  const count = (kind: RouteChange['kind']): number => changes.filter((one) => one.kind === kind).length
  return `${blocks.join('')}${count('changed')} changed, ${count('new')} new, ${count('gone')} gone\n`
}
