import { code, property as propertyOf, type Code } from '../../codegen/code.ts'
import { isObject, type Scalar } from '../../guards.ts'
import type { CodeContext } from '../emit/unit.ts'
import { BranchNode, type Body } from './branch.ts'
import type { Closures, Writer } from './closures.ts'
import { plainPrototype } from '../../runtime/containers.ts'
import type { ShapeEntry } from '../../runtime/pick.ts'
import type { Node, ShapeIndexes } from './node.ts'
import { isOwnRead, readOwn } from './reads.ts'

/** One branch of a {@link SwitchNode}. */
export interface SwitchCase {
  readonly values: readonly Scalar[]
  readonly node: Node
}

/** A switch over the discriminating property of a union. */
export class SwitchNode extends BranchNode {
  readonly #property: string
  readonly #cases: readonly SwitchCase[]

  constructor(property: string, cases: readonly SwitchCase[], otherwise: Node | undefined) {
    const nodes = cases.map(({ node }) => node)
    super(nodes, `one of the known values of ${JSON.stringify(property)}`, otherwise)
    this.#property = property
    this.#cases = cases
  }

  override shape(indexes: ShapeIndexes): ShapeEntry {
    const { otherwise } = this
    return {
      kind: 'switch',
      property: this.#property,
      cases: this.#cases.map(({ values, node }) => [values, indexes.of(node)] as const),
      otherwise: otherwise === undefined ? null : indexes.of(otherwise),
    }
  }

  protected choose<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result> {
    const byTag = new Map<unknown, Writer<Result>>()
    for (const { values, node } of this.#cases) {
      const write = node.writer(closures, true)
      for (const value of values) if (!byTag.has(value)) byTag.set(value, write)
    }
    const readTag = tagReader(this.#property, closures.ownReads)
    const otherwise = this.otherwiseWriter(closures, isRecord)
    return (value) => (byTag.get(readTag(value)) ?? otherwise)(value)
  }

  protected emit(value: Code, context: CodeContext, body: Body): void {
    const { writer } = context.scope
    writer.block(code`switch (${this.#tagCode(value, context)})`, () => {
      for (const { values, node } of this.#cases) {
        for (const literal of values) writer.line(code`case ${literal}:`)
        writer.block(code``, () => {
          body(node, true)
          writer.line(code`break`)
        })
      }
      writer.block(code`default:`, () => this.emitOtherwise(value, context, body))
    })
  }

  /** Reads the property of an object that is plain most of the time. */
  #tagCode(value: Code, { unit }: CodeContext): Code {
    const own = unit.readOwn(value, this.#property)
    if (isOwnRead(this.#property, unit.form.ownReads)) return own
    const isPlain = code`${unit.writer.use('prototypeOf')}(${value}) === ${unit.writer.use('plainPrototype')}`
    return code`(${isPlain} ? ${propertyOf(value, this.#property)} : ${own})`
  }
}

function tagReader(name: string, ownReads: boolean): (value: unknown) => unknown {
  const isOwn = isOwnRead(name, ownReads)
  return (value) => {
    if (!isObject(value)) return undefined
    return isOwn || Object.getPrototypeOf(value) !== plainPrototype ? readOwn(value, name) : value[name]
  }
}
