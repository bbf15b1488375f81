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
      if (!fits && !mode.isThorough) return FAILED
    }
    return fits ? PASSED : FAILED
  }
}

/** The keyword `patternProperties`. */
export const patternProperties: Keyword<ObjectData> = {
  names: ['patternProperties'],
  read(node) {
    const families = node.declared.patterns.flatMap((pattern) => {
      const property = node.below('patternProperties', pattern.source)
      return property === undefined ? [] : [{ pattern, property }]
    })
    return families.length === 0 ? undefined : new PatternPropertiesPart(families)
  },
}
