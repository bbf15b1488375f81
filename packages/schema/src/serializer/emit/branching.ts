/** Code that finds the branch for a value; each back end writes the code of the branch. */
import { code, jsonLiteral, type Code } from '../../codegen/code.ts'
import type { BranchNode, ChooseNode, ConditionNode, MatchNode, Node, SwitchNode } from '../ir.ts'
import { createShapes } from '../../runtime/pick.ts'
import { shapesOf } from '../nodes.ts'
import type { FunctionScope, UnitBuilder } from './unit.ts'

/** The unit and function in which branches are written. */
export interface BranchContext {
  readonly unit: UnitBuilder
  readonly scope: FunctionScope
  readonly pointer: string
  /** The value is an object (no array, no date) whose `toJSON` has been called. */
  readonly isRecord: boolean
  /** Writes the code of one branch for the value. */
  readonly body: (node: Node, value: Code, isRecord: boolean) => void
}

/** Writes the tests of a node with the body of each branch. */
export function emitBranches(context: BranchContext, node: BranchNode, value: Code): void {
  const { unit, scope } = context
  const own = context.isRecord ? value : unit.writer.unique('v')
  const keepsText = node.kind === 'choose' && node.cases.some((entry) => entry.kinds.includes('text-object'))
  if (!context.isRecord) scope.writer.line(code`const ${own} = ${unit.snippets.unwrapped(value, keepsText)}`)
  switch (node.kind) {
    case 'choose':
      return emitChoose(context, node, own)
    case 'switch':
      return emitSwitch(context, node, own)
    case 'match':
      return emitMatch(context, node, own)
    case 'condition':
      return emitCondition(context, node, own)
  }
}

function emitChoose(context: BranchContext, node: ChooseNode, value: Code): void {
  const { writer } = context.scope
  let head = code`if`
  for (const { kinds, node: inner } of node.cases) {
    writer.block(code`${head} (${context.unit.snippets.isOfKind(value, kinds)})`, () => {
      context.body(
        inner,
        value,
        kinds.every((kind) => kind === 'object' || kind === 'text-object'),
      )
    })
    head = code`else if`
  }
  writer.block(code`else`, () => fallBack(context, node.otherwise, node.expected, value))
}

function emitSwitch(context: BranchContext, node: SwitchNode, value: Code): void {
  const { unit, scope } = context
  const { writer } = scope
  writer.block(code`switch (${unit.snippets.readTag(value, node.property)})`, () => {
    for (const { values, node: inner } of node.cases) {
      for (const literal of values) writer.line(code`case ${literal}:`)
      writer.block(code``, () => {
        context.body(inner, value, true)
        writer.line(code`break`)
      })
    }
    writer.block(code`default:`, () =>
      fallBack(context, node.otherwise, `one of the known values of ${JSON.stringify(node.property)}`, value),
    )
  })
}

function emitMatch(context: BranchContext, node: MatchNode, value: Code): void {
  const { unit, scope } = context
  const { writer } = scope
  const tests = node.candidates.map((entry) => unit.predicates.nameOf(entry.test))
  const { entries, roots } = shapesOf(node.candidates.map((entry) => entry.node))
  const call = { kind: 'call', name: 'createShapes', args: [entries], value: createShapes(entries) } as const
  const shapes = unit.writer.bind(call, 'shapes')
  const pick = unit.writer.use('pickBranch')
  const list = unit.predicates.list(tests)
  writer.block(code`switch (${pick}(${value}, ${list}, ${shapes}, ${jsonLiteral(roots)}))`, () => {
    node.candidates.forEach((entry, index) => {
      writer.block(code`case ${index}:`, () => {
        context.body(entry.node, value, context.isRecord)
        writer.line(code`break`)
      })
    })
    writer.block(code`default:`, () => fallBack(context, undefined, node.expected, value))
  })
}

function emitCondition(context: BranchContext, node: ConditionNode, value: Code): void {
  const { unit, scope } = context
  const test = unit.predicates.nameOf(node.test)
  scope.writer.block(code`if (${test}(${value}))`, () => context.body(node.then, value, context.isRecord))
  scope.writer.block(code`else`, () => context.body(node.otherwise, value, context.isRecord))
}

function fallBack(context: BranchContext, node: Node | undefined, expected: string, value: Code): void {
  if (node !== undefined) return context.body(node, value, context.isRecord)
  const { writer } = context.unit
  context.scope.writer.line(code`${writer.use('misfit')}(${expected}, ${value}, ${context.pointer})`)
}
