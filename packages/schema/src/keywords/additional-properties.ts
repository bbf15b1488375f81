import { code, type Code } from '../codegen/code.ts'
import { DELETED } from '../runtime/replay.ts'
import { Child } from '../walk/child.ts'
import { emitAt, slotAt, type Block, type Target } from '../walk/code.ts'
import type { Declared, Names } from '../walk/declared.ts'
import { PASSED, type Frame, type Mode, type Outcome, type Rule } from '../walk/walk.ts'
import { ANY } from '../walk/leaf.ts'
import { ASK, EDIT, NO, UNION, YES, type Look, type Verdict } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import {
  applyAll,
  keysOf,
  KeywordPart,
  type Behaviour,
  type Keyword,
  type ObjectData,
  type Part,
} from '../walk/part.ts'
import type { Value } from '../walk/value.ts'

/** Undeclared properties are refused, or removed. */
export class ClosedPart implements Part<ObjectData>, Rule<{ readonly additionalProperty: string }> {
  readonly keyword = 'additionalProperties'
  readonly node: SchemaNode
  readonly #declared: Declared
  readonly #removes: boolean

  constructor(node: SchemaNode) {
    this.node = node
    this.#declared = node.declared
    this.#removes = node.declared.others === 'remove'
  }

  /** `properties` looks for undeclared names. */
  get isFused(): boolean {
    const { names, patterns } = this.#declared
    return names.length > 0 && patterns.size === 0
  }

  get onlyRefuses(): boolean {
    return !this.#removes
  }

  message(): string {
    return 'must NOT have additional properties'
  }

  fits(data: ObjectData, look: Look): Verdict {
    const { undeclared } = this.#declared
    for (const key in data) {
      const verdict = undeclared.has(key) ? this.lookAt(data, key, look) : YES
      if (verdict !== YES) return verdict
    }
    return YES
  }

  /** Looks at an undeclared property. */
  lookAt(data: ObjectData, key: string, look: Look): Verdict {
    if (!this.#removes) return NO
    if (look.use === EDIT) {
      look.log.push(data, key, DELETED)
      return YES
    }
    return this.#refusesIn(look) ? NO : ASK
  }

  /** If unions remove by branch, an undeclared property first refuses the branch. */
  #refusesIn({ use }: { readonly use: Look['use'] }): boolean {
    return use === UNION && this.node.context.settings.removesByBranch
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    const { removal } = frame.walk
    const { undeclared } = this.#declared
    const refuses = !this.#removes || removal.treatment === 'refuse'
    let outcome: Outcome = PASSED
    for (const additionalProperty in data) {
      if (!undeclared.has(additionalProperty)) continue
      if (!refuses) {
        removal.remove(data, additionalProperty)
        continue
      }
      if (this.#removes) removal.hasRefused = true
      outcome = frame.fail(this, { additionalProperty }, value, mode)
      if (!mode.isThorough) break
    }
    return outcome
  }

  emit({ value }: Target, block: Block): void {
    const key = block.writer.unique('key')
    block.writer.line(this.#loop(value, key, this.#effect(value, key, block), block))
  }

  /** The same as {@link emit}, but counts keys, and checks names only if there are more keys than those just read. */
  emitIfCountDiffers(value: Code, present: Code, block: Block): void {
    const { writer, edits } = block
    const [key, extras] = [writer.unique('key'), writer.unique('extras')]
    writer.line(code`for (var ${key} in ${value}) ${present}--`)
    // Inherited properties would change the count, so it is used for plain objects only.
    writer.line(code`var ${extras} = ${present} !== 0 || ${value}.constructor !== Object`)
    if (!this.#removes || block.use !== EDIT || edits === undefined) {
      writer.line(code`if (${extras}) ${this.#loop(value, key, this.#effect(value, key, block), block)}`)
      return
    }
    writer.line(code`if (${extras}) ${edits.changed} = true`)
    edits.statements.push(
      code`if (${extras}) ${this.#loop(value, key, code`Reflect.deleteProperty(${value}, ${key})`, block)}`,
    )
  }

  #loop(value: Code, key: Code, statement: Code, block: Block): Code {
    return code`for (var ${key} in ${value}) { if (${this.#declared.undeclared.code(key, block.writer)}) { ${statement} } }`
  }

  /** Returns the statement for an undeclared property. */
  #effect(value: Code, key: Code, block: Block): Code {
    const { use, unit, writer, reject, defer } = block
    if (!this.#removes || this.#refusesIn(block)) return reject
    if (use !== EDIT) return defer
    unit.isLogged = true
    return code`${unit.log}.push(${value}, ${key}, ${writer.use('DELETED')})`
  }
}

/** A schema for properties, selected by their names. */
interface Named {
  readonly names: Names
  readonly child: Child
  /** Other schemas may apply to the same names. */
  readonly isShared: boolean
}

const NAMED: Behaviour<ObjectData, Named, object> = {
  names: ['patternProperties'],
  seesEdits: (_node, { isShared }) => isShared,
  below: ({ child }) => child.below,
  fits({ read: { names, child } }, data, look) {
    for (const key in data) {
      const verdict = names.has(key) ? child.fits(data, key, look) : YES
      if (verdict !== YES) return verdict
    }
    return YES
  },
  apply({ read: { names, child } }, data, value, mode, frame) {
    const applies = (key: string): boolean => !names.has(key) || child.applies(data, key, value, mode, frame)
    return applyAll(keysOf(data), mode, applies)
  },
  emit({ read: { names, child } }, { value }, block) {
    const { writer } = block
    const key = writer.unique('key')
    writer.block(code`for (var ${key} in ${value})`, () =>
      writer.block(code`if (${names.code(key, writer)})`, () =>
        emitAt(child.node, slotAt(value, key), block),
      ),
    )
  },
}

/** The schema below a keyword, for properties selected by their names. */
export function namedPart(
  node: SchemaNode,
  names: Names,
  keyword: string,
  source?: string,
): Part<ObjectData> {
  const isShared = source !== undefined
  return new KeywordPart(NAMED, node, { names, child: new Child(node, keyword, source), isShared })
}

/** The keyword `additionalProperties`. */
export const additionalProperties: Keyword<ObjectData> = {
  names: ['additionalProperties'],
  read(node) {
    const { declared } = node
    if (declared.others !== undefined) return new ClosedPart(node)
    if (node.isOpen('additionalProperties')) return undefined
    return namedPart(node, declared.undeclared, 'additionalProperties')
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

/** The keyword `patternProperties`. */
export const patternProperties: Keyword<ObjectData> = {
  names: ['patternProperties'],
  read: (node) =>
    [...node.declared.patterns].flatMap(([source, names]) =>
      node.context.leafOf(node.schemaAt('patternProperties', source)) === ANY
        ? []
        : namedPart(node, names, 'patternProperties', source),
    ),
}
