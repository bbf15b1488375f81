import { code } from '../codegen/code.ts'
import { isSchemaObject } from '../guards.ts'
import { branchBlock, type Block, type Target } from '../walk/code.ts'
import type { Frame, Mode, Rule } from '../walk/walk.ts'
import { fitsLeaf, type Leaf } from '../walk/leaf.ts'
import { UNION, type Look } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, ObjectData, Part } from '../walk/part.ts'
import { ASK, YES, type Outcome, type Verdict } from '../walk/verdict.ts'
import type { Value } from '../walk/value.ts'

interface Params {
  readonly propertyName: string
}

/** The keyword `propertyNames`. For an object without properties Ajv goes by the verdict on the object before. */
class PropertyNamesPart implements Part<ObjectData>, Rule<Params> {
  readonly keyword = 'propertyNames'
  readonly keepsVerdict = true
  readonly seesEdits = true
  readonly node: SchemaNode
  readonly #names: SchemaNode
  readonly #leaf: Leaf

  constructor(node: SchemaNode, names: SchemaNode) {
    this.node = node
    this.#names = names
    const { schema } = names.location
    this.#leaf = node.context.leafOf(isSchemaObject(schema) ? { type: 'string', ...schema } : schema)
  }

  get below(): readonly SchemaNode[] {
    return [this.#names]
  }

  message(): string {
    return 'property name must be valid'
  }

  fits(data: ObjectData, look: Look): Verdict {
    let isEmpty = true
    for (const name in data) {
      isEmpty = false
      if (fitsLeaf(this.#leaf.kind, this.#leaf, name)) continue
      const verdict = this.#names.plan.lookAsBranch(name, look)
      if (verdict !== YES) return verdict
    }
    return isEmpty && look.use === UNION ? ASK : YES
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    let fits = true
    let verdict = frame.lastVerdict(this)
    for (const propertyName in data) {
      verdict = this.#names.apply(value.name(propertyName), mode.forName(propertyName), frame)
      if (verdict) continue
      frame.failBehind(this, { propertyName }, value, mode)
      fits = false
      if (!mode.isThorough) break
    }
    return frame.outcomeOf(this, fits, verdict, mode)
  }

  emit({ value }: Target, block: Block): void {
    const { writer, reject, defer } = block
    const key = writer.unique('key')
    const isEmpty = writer.unique('isEmpty')
    writer.line(code`var ${isEmpty} = true`)
    writer.block(code`for (var ${key} in ${value})`, () => {
      writer.line(code`${isEmpty} = false`)
      this.#names.emit({ value: key }, branchBlock(this.#names, block, reject))
    })
    if (block.use === UNION) writer.line(code`if (${isEmpty}) ${defer}`)
  }
}

/** The keyword `propertyNames`. */
export const propertyNames: Keyword<ObjectData> = {
  names: ['propertyNames'],
  read(node) {
    const names = node.at('propertyNames')
    return names && new PropertyNamesPart(node, names)
  },
}
