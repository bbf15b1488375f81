import type { Frame } from '../walk/frame.ts'
import type { Look } from '../walk/look.ts'
import type { Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { FAILED, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'

class AllOfPart implements Part {
  readonly below: readonly SchemaNode[]

  constructor(below: readonly SchemaNode[]) {
    this.below = below
  }

  fits(data: unknown, look: Look): Verdict {
    for (const part of this.below) {
      const verdict = part.look(data, look, undefined, '')
      if (verdict !== YES) return verdict
    }
    return YES
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    let fits = true
    for (const part of this.below) {
      if (part.apply(value, mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
}

/** The keyword `allOf`. */
export const allOf: Keyword = {
  names: ['allOf'],
  read(node) {
    const parts = node.listBelow('allOf')?.filter((part) => part !== undefined) ?? []
    return parts.length === 0 ? undefined : new AllOfPart(parts)
  },
}
