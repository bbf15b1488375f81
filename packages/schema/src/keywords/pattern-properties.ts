import { code } from '../codegen/code.ts'
import { emitEntry, type Block, type Target } from '../walk/code.ts'
import type { NamePattern } from '../walk/declared.ts'
import type { Frame } from '../walk/frame.ts'
import type { Look } from '../walk/look.ts'
import type { Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, ObjectData, Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { FAILED, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'

/** The properties whose names match a pattern. */
interface Family {
  readonly pattern: NamePattern
  readonly property: SchemaNode
}

/** Looks note no edits, since a property may be in several families. */
class PatternPropertiesPart implements Part<ObjectData> {
  readonly seesEdits = true
  readonly #families: readonly Family[]

  constructor(families: readonly Family[]) {
    this.#families = families
  }

  get below(): readonly SchemaNode[] {
    return this.#families.map(({ property }) => property)
  }

  fits(data: ObjectData, look: Look): Verdict {
    for (const { pattern, property } of this.#families) {
      for (const key in data) {
        if (!pattern.expression.test(key)) continue
        const verdict = property.look(data[key], look, data, key)
        if (verdict !== YES) return verdict
      }
    }
    return YES
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    let fits = true
    for (const { pattern, property } of this.#families) {
      for (const key in data) {
        if (!pattern.expression.test(key) || property.settles(data, key, mode, frame.walk)) continue
        if (property.apply(value.entry(key), mode, frame)) continue
        if (!mode.isThorough) return FAILED
        fits = false
      }
    }
    return fits ? PASSED : FAILED
  }

  emit({ value }: Target, block: Block): void {
    const { writer } = block
    for (const { pattern, property } of this.#families) {
      const regexp = writer.bind({ kind: 'regexp', value: pattern.expression }, 'pattern')
      const key = writer.unique('key')
      writer.block(code`for (var ${key} in ${value})`, () =>
        writer.block(code`if (${regexp}.test(${key}))`, () => emitEntry(property, value, key, block)),
      )
    }
  }
}

/** The keyword `patternProperties`. */
export const patternProperties: Keyword<ObjectData> = {
  names: ['patternProperties'],
  read(node) {
    const families = node.declared.patterns.flatMap((pattern) => {
      const property = node.at('patternProperties', pattern.source)
      return property === undefined ? [] : [{ pattern, property }]
    })
    return families.length === 0 ? undefined : new PatternPropertiesPart(families)
  },
}
