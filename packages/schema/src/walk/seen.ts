import { code, type Code } from '../codegen/code.ts'
import type { CodeWriter } from '../codegen/writer.ts'
import type { TestedType } from '../document/json-types.ts'
import { createJsonView, type JsonView } from '../runtime/json-view.ts'

/** How a schema sees a value as JSON shows it. Its arguments are those of {@link createJsonView}. */
export class Seen {
  readonly view: JsonView
  /** Null is accepted before anything else is checked. */
  readonly allowsNull: boolean
  readonly #args: readonly [names: readonly string[], isWhole: boolean, isShared: boolean]

  constructor(names: readonly string[], isWhole: boolean, isShared: boolean, allowsNull: boolean) {
    this.view = createJsonView(names, isWhole, isShared)
    this.allowsNull = allowsNull
    this.#args = [names, isWhole, isShared]
  }

  /**
   * Writes the view of a variable; skips most values without a call.
   * @param only - the type of the schema: JSON shows a scalar of that type unchanged
   */
  emit(value: Code, writer: CodeWriter, only: TestedType | undefined): void {
    const [names, isWhole] = this.#args
    const view = { kind: 'call', name: 'createJsonView', args: this.#args, value: this.view } as const
    const isSame = code`${value}.toJSON === undefined && (Array.isArray(${value}) || Object.getPrototypeOf(${value}) === Object.prototype)`
    const isRead = isWhole || names.some((name) => name in Object.prototype)
    const object = isRead ? code`${value} !== null` : code`${value} !== null && !(${isSame})`
    const test = code`typeof ${value} === 'object' ? ${object} : typeof ${value} === 'bigint'`
    const scalar = only === 'integer' ? 'number' : only
    const isScalar = scalar === 'number' || scalar === 'string' || scalar === 'boolean'
    const other = isScalar ? code`typeof ${value} !== ${scalar} && (${test})` : test
    writer.line(code`if (${other}) ${value} = ${writer.bind(view, 'view')}(${value})`)
  }
}
