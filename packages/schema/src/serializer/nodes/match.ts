/** A union whose predicates tell which branch takes a value. */
import { code, join, jsonLiteral, type Code } from '../../codegen/code.ts'
import { remember } from '../../remember.ts'
import { createShapes, pickBranch, type ShapeEntry } from '../../runtime/pick.ts'
import type { SchemaNode } from '../../walk/node.ts'
import type { CodeContext } from '../emit/unit.ts'
import { BranchNode, testOf, type Body } from './branch.ts'
import type { Closures, Writer } from './closures.ts'
import type { Node } from './node.ts'

/** One branch of a {@link MatchNode}. */
export interface Candidate {
  readonly test: SchemaNode
  readonly node: Node
}

/** Branches selected by predicate: of those that accept, the one that omits least. */
export class MatchNode extends BranchNode {
  readonly candidates: readonly Candidate[]

  constructor(candidates: readonly Candidate[]) {
    const nodes = candidates.map(({ node }) => node)
    super(nodes, 'a value that a branch of the union accepts')
    this.candidates = candidates
  }

  protected choose<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result> {
    const tests = this.candidates.map(({ test }) => testOf(test))
    const writers = this.children.map((node) => node.writer(closures, isRecord))
    const otherwise = this.otherwiseWriter(closures, isRecord)
    const { entries, roots } = shapesOf(this.children)
    const shapes = createShapes(entries)
    return (value) => (writers[pickBranch(value, tests, shapes, roots)] ?? otherwise)(value)
  }

  protected emit(value: Code, context: CodeContext, body: Body): void {
    const { unit, scope } = context
    const tests = this.candidates.map(({ test }) => unit.predicates.nameOf(test))
    const { entries, roots } = shapesOf(this.children)
    const call = {
      kind: 'call',
      name: 'createShapes',
      args: [entries],
      value: createShapes(entries),
    } as const
    const shapes = unit.writer.bind(call, 'shapes')
    const pick = unit.writer.use('pickBranch')
    const list = unit.writer.unique('tests')
    unit.writer.line(code`const ${list} = [${join(tests, code`, `)}]`)
    const branch = code`${pick}(${value}, ${list}, ${shapes}, ${jsonLiteral(roots)})`
    scope.writer.block(code`switch (${branch})`, () => {
      this.children.forEach((node, index) => {
        scope.writer.block(code`case ${index}:`, () => {
          body(node, context.isRecord)
          scope.writer.line(code`break`)
        })
      })
      scope.writer.block(code`default:`, () => this.emitOtherwise(value, context, body))
    })
  }
}

/**
 * The properties that the branches of a union write, as data for `pickBranch`: the nodes and those inside them, each once,
 * so that recursion ends, and the indexes of the given ones.
 */
function shapesOf(nodes: readonly Node[]) {
  const indexes = new Map<Node, number>()
  const listed: Node[] = []
  const indexOf = ({ written }: Node): number => remember(indexes, written, () => listed.push(written) - 1)
  const roots = nodes.map(indexOf)
  const entries: ShapeEntry[] = []
  // The list grows meanwhile.
  for (const node of listed) entries.push(node.shape(indexOf))
  return { entries, roots }
}
