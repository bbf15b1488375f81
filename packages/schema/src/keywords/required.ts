import { code, join, property, type Code } from '../codegen/code.ts'
import type { Block, Target } from '../walk/code.ts'
import type { Frame, Rule } from '../walk/frame.ts'
import type { Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, ObjectData, Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { ASK, FAILED, NO, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'

interface Params {
  readonly missingProperty: string
}

/** The keyword `required`. In a short list Ajv overlooks the empty name, unless all errors are wanted. */
class RequiredPart implements Part<ObjectData>, Rule<Params> {
  readonly keyword = 'required'
  readonly node: SchemaNode
  /** `properties` looks for all names. */
  readonly isFused: boolean
  readonly #names: readonly string[]
  /** The names that `properties` does not look for. */
  readonly #others: readonly string[]
  readonly #seesEmpty: boolean

  constructor(node: SchemaNode, names: readonly string[]) {
    this.node = node
    this.#names = names
    this.#seesEmpty = names.length >= node.context.settings.loopRequired
    this.#others = names.filter((name) => !node.declared.has(name))
    this.isFused = this.#others.length === 0
  }

  get onlyRefuses(): boolean {
    return !this.#names.includes('')
  }

  message({ missingProperty }: Params): string {
    return `must have required property '${missingProperty}'`
  }

  fits(data: ObjectData): Verdict {
    for (const name of this.#others) if (data[name] === undefined) return name === '' ? ASK : NO
    return YES
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    let fits = true
    for (const missingProperty of this.#names) {
      if (data[missingProperty] !== undefined) continue
      if (!mode.isThorough && missingProperty === '' && !this.#seesEmpty) continue
      fits = false
      frame.fail(this, { missingProperty }, value, mode)
      if (!mode.isThorough) break
    }
    return fits ? PASSED : FAILED
  }

  emit({ value }: Target, block: Block): void {
    emitMissing(value, this.#others, block)
  }
}

/** Writes the test that properties are there. Ajv may overlook the empty name. */
export function emitMissing(object: Code, names: readonly string[], { writer, reject, defer }: Block): void {
  if (names.includes('')) writer.line(code`if (${property(object, '')} === undefined) ${defer}`)
  const tests = names.flatMap((name) => (name === '' ? [] : code`${property(object, name)} === undefined`))
  if (tests.length > 0) writer.line(code`if (${join(tests, code` || `)}) ${reject}`)
}

/** The keyword `required`. */
export const required: Keyword<ObjectData> = {
  names: ['required'],
  read(node) {
    const names = node.schema['required']
    return Array.isArray(names) && names.length > 0 ? new RequiredPart(node, names.map(String)) : undefined
  },
}
