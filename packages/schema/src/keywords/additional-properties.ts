import { code, join, type Code } from '../codegen/code.ts'
import { DELETED } from '../runtime/replay.ts'
import { emitEntry, type Block, type Target } from '../walk/code.ts'
import type { Frame, Rule } from '../walk/frame.ts'
import { fitsLeaf, type Leaf } from '../walk/leaf.ts'
import { EDIT, UNION, type Look } from '../walk/look.ts'
import type { Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, ObjectData, Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { ASK, FAILED, NO, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'

interface Params {
  readonly additionalProperty: string
}

/** Undeclared properties are refused, or removed. */
export class ClosedPart implements Part<ObjectData>, Rule<Params> {
  readonly keyword = 'additionalProperties'
  readonly node: SchemaNode
  /** `properties` looks for undeclared names. */
  readonly isFused: boolean
  readonly #removes: boolean

  constructor(node: SchemaNode) {
    this.node = node
    this.#removes = node.declared.others === 'remove'
    this.isFused = node.declared.names.length > 0 && node.declared.patterns.length === 0
  }

  get onlyRefuses(): boolean {
    return !this.#removes
  }

  message(): string {
    return 'must NOT have additional properties'
  }

  fits(data: ObjectData, look: Look): Verdict {
    const { declared } = this.node
    for (const key in data) {
      if (!declared.isUndeclared(key)) continue
      const verdict = lookAtUndeclared(this.node, data, key, look)
      if (verdict !== YES) return verdict
    }
    return YES
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    const { removal } = frame.walk
    const refuses = !this.#removes || removal.treatment === 'refuse'
    const { declared } = this.node
    let fits = true
    for (const additionalProperty in data) {
      if (!declared.isUndeclared(additionalProperty)) continue
      if (!refuses) {
        removal.remove(data, additionalProperty)
        continue
      }
      if (this.#removes) removal.hasRefused = true
      frame.fail(this, { additionalProperty }, value, mode)
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }

  emit({ value }: Target, block: Block): void {
    const key = block.writer.unique('key')
    const isOther = undeclaredCode(this.node, key, block)
    block.writer.line(
      code`for (var ${key} in ${value}) { if (${isOther}) { ${undeclaredEffect(this.node, value, key, block)} } }`,
    )
  }
}

/** Up to this number of names code compares them one by one. */
const FEW_NAMES = 8

/** An expression that is true when no declaration covers the key. */
function undeclaredCode({ declared }: SchemaNode, key: Code, { writer }: Block): Code {
  const { names, patterns } = declared
  const tests =
    names.length <= FEW_NAMES
      ? names.map((name) => code`${key} !== ${name}`)
      : [code`!${writer.bind({ kind: 'set', items: names }, 'declared')}.has(${key})`]
  for (const { expression } of patterns) {
    tests.push(code`!${writer.bind({ kind: 'regexp', value: expression }, 'pattern')}.test(${key})`)
  }
  return tests.length === 0 ? code`true` : join(tests, code` && `)
}

/** The statement for an undeclared property, where there is no schema for it. */
function undeclaredEffect({ declared, context }: SchemaNode, object: Code, key: Code, block: Block): Code {
  const { use, unit, writer, reject, defer } = block
  if (declared.others === 'fail') return reject
  if (use !== EDIT) return use === UNION && context.settings.removesByBranch ? reject : defer
  unit.isLogged = true
  return code`${unit.log}.push(${object}, ${key}, ${writer.use('DELETED')})`
}

/** Writes the search for undeclared properties. Keys are counted, and looked at only when there are others than those read. */
export function emitIfCountDiffers(node: SchemaNode, object: Code, present: Code, block: Block): void {
  const { writer, edits } = block
  const key = writer.unique('key')
  const extras = writer.unique('extras')
  writer.line(code`for (var ${key} in ${object}) ${present}--`)
  // Inherited properties would change the count, so it is used for plain objects only.
  writer.line(code`var ${extras} = ${present} !== 0 || ${object}.constructor !== Object`)
  const isOther = undeclaredCode(node, key, block)
  const loop = (statement: Code): Code =>
    code`if (${extras}) for (var ${key} in ${object}) { if (${isOther}) { ${statement} } }`
  if (node.declared.others !== 'remove' || block.use !== EDIT || edits === undefined) {
    writer.line(loop(undeclaredEffect(node, object, key, block)))
    return
  }
  writer.line(code`if (${extras}) ${edits.changed} = true`)
  edits.statements.push(loop(code`delete ${object}[${key}]`))
}

/** What a look makes of an undeclared property, where there is no schema for it. */
export function lookAtUndeclared(
  { declared, context }: SchemaNode,
  data: ObjectData,
  key: string,
  look: Look,
): Verdict {
  if (declared.others === 'fail') return NO
  if (look.use === EDIT) {
    look.log.push(data, key, DELETED)
    return YES
  }
  return look.use === UNION && context.settings.removesByBranch ? NO : ASK
}

/** Undeclared properties have a schema. */
class AdditionalPart implements Part<ObjectData> {
  readonly #node: SchemaNode
  readonly #leaf: Leaf
  #property: SchemaNode | undefined = undefined

  constructor(node: SchemaNode) {
    this.#node = node
    this.#leaf = node.context.leafOf(node.schema['additionalProperties'])
  }

  get below(): readonly SchemaNode[] {
    return this.#leaf.isWhole ? [] : [this.property]
  }

  /** Made when a property is not seen to fit without a call. */
  get property(): SchemaNode {
    return (this.#property ??= this.#node.child('additionalProperties'))
  }

  fits(data: ObjectData, look: Look): Verdict {
    const { declared } = this.#node
    const leaf = this.#leaf
    for (const key in data) {
      if (!declared.isUndeclared(key) || fitsLeaf(leaf.kind, leaf, data[key])) continue
      const verdict = this.property.look(data[key], look, data, key)
      if (verdict !== YES) return verdict
    }
    return YES
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    const { declared } = this.#node
    const leaf = this.#leaf
    let fits = true
    for (const key in data) {
      if (!declared.isUndeclared(key) || fitsLeaf(leaf.kind, leaf, data[key])) continue
      if (this.property.settles(data, key, mode, frame.walk)) continue
      if (this.property.apply(value.entry(key), mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }

  emit({ value }: Target, block: Block): void {
    const { writer } = block
    const key = writer.unique('key')
    writer.block(code`for (var ${key} in ${value})`, () =>
      writer.block(code`if (${undeclaredCode(this.#node, key, block)})`, () =>
        emitEntry(this.property, value, key, block),
      ),
    )
  }
}

/** The keyword `additionalProperties`. */
export const additionalProperties: Keyword<ObjectData> = {
  names: ['additionalProperties'],
  read(node) {
    if (node.declared.others !== undefined) return new ClosedPart(node)
    return node.isOpen('additionalProperties') ? undefined : new AdditionalPart(node)
  },
}

/** With `removeAdditional: 'all'` Ajv removes undeclared properties beside `properties` alone, too. */
export const removal: Keyword<ObjectData> = {
  names: ['properties'],
  read(node) {
    const isSilent = node.schema['additionalProperties'] === undefined
    return isSilent && node.declared.others === 'remove' ? new ClosedPart(node) : undefined
  },
}
