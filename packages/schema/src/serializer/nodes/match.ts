/** A union whose predicates tell which branch takes a value. */
import { code, join, jsonLiteral, type Code } from '../../codegen/code.ts'
import { remember } from '../../remember.ts'
import { createShapes, pickBranch, type ShapeEntry } from '../../runtime/pick.ts'
import type { SchemaNode } from '../../walk/node.ts'
import type { CodeContext } from '../emit/unit.ts'
import { BranchNode, testOf, type Body } from './branch.ts'
import type { Closures, Writer } from './closures.ts'
import type { Node, ShapeIndexes } from './node.ts'

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

  override shape(indexes: ShapeIndexes): ShapeEntry {
    return {
      kind: 'least',
      tests: this.candidates.map(({ test }) => indexes.ofTest(test)),
      shapes: this.children.map((node) => indexes.of(node)),
    }
  }

  protected choose<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result> {
    const tests = this.candidates.map(({ test }) => testOf(test))
    const writers = this.children.map((node) => node.writer(closures, isRecord))
    const otherwise = this.otherwiseWriter(closures, isRecord)
    const { entries, roots, inner } = shapesOf(this.children)
    const shapes = createShapes(entries)
    const innerTests = inner.map(testOf)
    return (value) => (writers[pickBranch(value, tests, shapes, roots, innerTests)] ?? otherwise)(value)
  }

  protected emit(value: Code, context: CodeContext, body: Body): void {
    const { unit, scope } = context
    const tests = this.candidates.map(({ test }) => unit.predicates.nameOf(test))
    const { entries, roots, inner } = shapesOf(this.children)
    const innerTests = inner.map((test) => unit.predicates.nameOf(test))
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
    const innerList = unit.writer.unique('inner')
    unit.writer.line(code`const ${innerList} = [${join(innerTests, code`, `)}]`)
    const branch = code`${pick}(${value}, ${list}, ${shapes}, ${jsonLiteral(roots)}, ${innerList})`
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
 * so that recursion ends, the indexes of the given ones, and the tests that they name.
 */
function shapesOf(nodes: readonly Node[]) {
  const known = new Map<Node, number>()
  const listed: Node[] = []
  const tests = new Map<SchemaNode, number>()
  const inner: SchemaNode[] = []
  const indexes: ShapeIndexes = {
    of: ({ written }) => remember(known, written, () => listed.push(written) - 1),
    ofTest: (test) => remember(tests, test, () => inner.push(test) - 1),
  }
  const roots = nodes.map((node) => indexes.of(node))
  const entries: ShapeEntry[] = []
  // The list grows meanwhile.
  for (const node of listed) entries.push(node.shape(indexes))
  return { entries, roots, inner }
}
