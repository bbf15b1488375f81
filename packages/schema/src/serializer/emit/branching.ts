/** Code that finds the branch for a value; what is written for the branch is the back end's affair. */
import { code, jsonLiteral, type Code } from '../../codegen/code.ts'
import type { ChooseNode, ConditionNode, MatchNode, Node, SwitchNode } from '../ir.ts'
import { createShapes } from '../../runtime/pick.ts'
import { shapesOf } from './shapes.ts'
import type { Frame, Unit } from './unit.ts'

/** Nodes that stand for one of several others. */
export type BranchNode = ChooseNode | SwitchNode | MatchNode | ConditionNode

/** Whether a node stands for one of several others. */
export function isBranching(node: Node): node is BranchNode {
  switch (node.kind) {
    case 'choose':
    case 'switch':
    case 'match':
    case 'condition':
      return true
    default:
      return false
  }
}

/** Where a branch is written, and by whom. */
export interface BranchSite {
  readonly unit: Unit
  readonly frame: Frame
  readonly pointer: string
  /** The value is known to be an object (no array, no date) whose `toJSON` has been called. */
  readonly isRecord: boolean
  /** Writes the code of one branch for the value. */
  readonly body: (node: Node, value: Code, isRecord: boolean) => void
}

/** Writes the tests of a node with the body of each branch. */
export function emitBranches(site: BranchSite, node: BranchNode, value: Code): void {
  const { unit, frame } = site
  const own = site.isRecord ? value : unit.writer.unique('v')
  const keepsText = node.kind === 'choose' && node.cases.some((entry) => entry.kinds.includes('text-object'))
  if (!site.isRecord) frame.writer.line(code`const ${own} = ${unit.pieces.unwrapped(value, keepsText)}`)
  switch (node.kind) {
    case 'choose':
      return emitChoose(site, node, own)
    case 'switch':
      return emitSwitch(site, node, own)
    case 'match':
      return emitMatch(site, node, own)
    case 'condition':
      return emitCondition(site, node, own)
  }
}

function emitChoose(site: BranchSite, node: ChooseNode, value: Code): void {
  const { writer } = site.frame
  let head = code`if`
  for (const { kinds, node: inner } of node.cases) {
    writer.block(code`${head} (${site.unit.pieces.isOfKind(value, kinds)})`, () => {
      site.body(
        inner,
        value,
        kinds.every((kind) => kind === 'object' || kind === 'text-object'),
      )
    })
    head = code`else if`
  }
  writer.block(code`else`, () => fallBack(site, node.otherwise, node.expected, value))
}

function emitSwitch(site: BranchSite, node: SwitchNode, value: Code): void {
  const { unit, frame } = site
  const { writer } = frame
  writer.block(code`switch (${unit.pieces.readTag(value, node.property)})`, () => {
    for (const { values, node: inner } of node.cases) {
      for (const literal of values) writer.line(code`case ${literal}:`)
      writer.block(code``, () => {
        site.body(inner, value, true)
        writer.line(code`break`)
      })
    }
    writer.block(code`default:`, () =>
      fallBack(site, node.otherwise, `one of the known values of ${JSON.stringify(node.property)}`, value),
    )
  })
}

function emitMatch(site: BranchSite, node: MatchNode, value: Code): void {
  const { unit, frame } = site
  const { writer } = frame
  const tests = node.candidates.map((entry) => unit.predicates.nameOf(entry.test))
  const { entries, roots } = shapesOf(node.candidates.map((entry) => entry.node))
  const call = { kind: 'call', name: 'createShapes', args: [entries], value: createShapes(entries) } as const
  const shapes = unit.writer.bind(call, 'shapes')
  const pick = unit.writer.use('pickBranch')
  const list = unit.predicates.list(tests)
  writer.block(code`switch (${pick}(${value}, ${list}, ${shapes}, ${jsonLiteral(roots)}))`, () => {
    node.candidates.forEach((entry, index) => {
      writer.block(code`case ${index}:`, () => {
        site.body(entry.node, value, site.isRecord)
        writer.line(code`break`)
      })
    })
    writer.block(code`default:`, () => fallBack(site, undefined, node.expected, value))
  })
}

function emitCondition(site: BranchSite, node: ConditionNode, value: Code): void {
  const { unit, frame } = site
  const test = unit.predicates.nameOf(node.test)
  frame.writer.block(code`if (${test}(${value}))`, () => site.body(node.then, value, site.isRecord))
  frame.writer.block(code`else`, () => site.body(node.otherwise, value, site.isRecord))
}

function fallBack(site: BranchSite, node: Node | undefined, expected: string, value: Code): void {
  if (node !== undefined) return site.body(node, value, site.isRecord)
  const { writer } = site.unit
  site.frame.writer.line(code`${writer.use('misfit')}(${expected}, ${value}, ${site.pointer})`)
}
