import { code, type Code } from '../../codegen/code.ts'
import { isObject } from '../../guards.ts'
import { areIntegers, areNumbers, areStrings, compatArray, strictArray } from '../../runtime/containers.ts'
import { prefixPointer } from '../../runtime/errors.ts'
import type { ShapeEntry } from '../../runtime/pick.ts'
import { nativeText } from '../../runtime/text.ts'
import type { TextContext } from '../emit/out.ts'
import type { CodeContext } from '../emit/unit.ts'
import { refusal } from './any.ts'
import type { Closures, Writer } from './closures.ts'
import { FormedNode, type ListTest, type Node, type ShapeIndexes } from './node.ts'

const LIST_TESTS = { areIntegers, areNumbers, areStrings } as const
const CONVERSIONS = { compatArray, strictArray } as const

/** The items of an array: a fixed prefix, then any number of `rest`. */
export interface ArrayParts {
  readonly strict: boolean
  readonly prefix: readonly Node[]
  /** `undefined`: nothing may follow the prefix. */
  readonly rest: Node | undefined
  /** From this length on the array is written natively, unfiltered. */
  readonly nativeFrom: number | undefined
}

/** An array: a list of plain scalars is written or copied as a whole, any other list item by item. */
export class ArrayNode extends FormedNode {
  override readonly isLeaf: boolean = false
  readonly #parts: ArrayParts

  constructor(parts: ArrayParts) {
    super(parts.rest === undefined ? parts.prefix : [...parts.prefix, parts.rest])
    this.#parts = parts
  }

  override shape(indexes: ShapeIndexes): ShapeEntry {
    const { prefix, rest } = this.#parts
    return {
      kind: 'array',
      prefix: prefix.map((node) => indexes.of(node)),
      rest: rest === undefined ? null : indexes.of(rest),
    }
  }

  textWriter(closures: Closures<string>): Writer<string> {
    const [read, isNative] = [this.#reader(), this.#nativeTest()]
    const { prefix, rest } = this.#items(closures)
    return (value) => {
      const items = read(value)
      if (isNative !== undefined && isNative(items)) return nativeText(items, '') ?? 'null'
      let text = '['
      let index = 0
      try {
        for (; index < items.length; index++) {
          const write = prefix[index] ?? rest
          text += index === 0 ? write(items[index]) : `,${write(items[index])}`
        }
      } catch (error) {
        throw prefixPointer(error, '', index)
      }
      return `${text}]`
    }
  }

  copyWriter(closures: Closures<unknown>): Writer<readonly unknown[]> {
    const [read, isNative] = [this.#reader(), this.#nativeTest()]
    const { prefix, rest } = this.#items(closures)
    return (value) => {
      const items = read(value)
      if (isNative !== undefined && isNative(items)) return items
      const copy: unknown[] = []
      let index = 0
      try {
        for (; index < items.length; index++) copy.push((prefix[index] ?? rest)(items[index]))
      } catch (error) {
        throw prefixPointer(error, '', index)
      }
      return copy
    }
  }

  override appendInline(value: Code, context: TextContext): void {
    const { unit, scope, out, pointer } = context
    const items = this.#readCode(value, context)
    const native = this.#nativeCode(items, context)
    if (native === undefined) return this.#appendItems(items, context)
    out.flush()
    scope.writer.block(code`if (${native})`, () => {
      out.value(code`${unit.writer.use('nativeText')}(${items}, ${pointer})`).flush()
    })
    scope.writer.block(code`else`, () => {
      this.#appendItems(items, context)
      out.flush()
    })
  }

  copyInline(value: Code, context: CodeContext): Code {
    const { unit, scope } = context
    const { writer } = scope
    const items = this.#readCode(value, context)
    const result = unit.writer.unique('r')
    writer.line(code`let ${result} = ${items}`)
    const native = this.#nativeCode(items, context)
    const { prefix, rest } = this.#parts
    const isPreallocated = unit.form.preallocates && prefix.length === 0 && rest !== undefined
    const copyItems = (): void => {
      writer.line(code`${result} = ${isPreallocated ? code`new Array(${items}.length)` : code`[]`}`)
      this.#eachItem(items, context, (node, item, index, pointer) => {
        const copy = node.copy(item, { ...context, pointer, isRecord: false })
        writer.line(isPreallocated ? code`${result}[${index}] = ${copy}` : code`${result}.push(${copy})`)
      })
    }
    if (native === undefined) copyItems()
    else writer.block(code`if (!(${native}))`, copyItems)
    return result
  }

  get #conversion(): keyof typeof CONVERSIONS {
    return this.#parts.strict ? 'strictArray' : 'compatArray'
  }

  #reader(): (value: unknown) => readonly unknown[] {
    const convert = CONVERSIONS[this.#conversion]
    return (value) =>
      Array.isArray(value) && isObject(value) && value['toJSON'] === undefined ? value : convert(value, '')
  }

  #readCode(value: Code, { unit, scope, pointer }: CodeContext): Code {
    const items = unit.writer.unique('a')
    const convert = unit.writer.use(this.#conversion)
    const test = code`${unit.writer.use('isArray')}(${value}) && ${value}.toJSON === undefined`
    scope.writer.line(code`const ${items} = (${test} ? ${value} : ${convert}(${value}, ${pointer}))`)
    return items
  }

  /** The test whether `JSON.stringify` can write the items unchanged; undefined if it never can. */
  get #test(): ListTest | undefined {
    return this.#parts.prefix.length > 0 ? undefined : this.#parts.rest?.listTest
  }

  #nativeTest(): ((items: readonly unknown[]) => boolean) | undefined {
    const nativeFrom = this.#parts.nativeFrom
    if (nativeFrom !== undefined) return ({ length }) => length >= nativeFrom
    return this.#test && LIST_TESTS[this.#test]
  }

  #nativeCode(items: Code, { unit }: CodeContext): Code | undefined {
    if (this.#parts.nativeFrom !== undefined) return code`${items}.length >= ${this.#parts.nativeFrom}`
    return this.#test && code`${unit.writer.use(this.#test)}(${items})`
  }

  /** The writers of the items: of the prefix, and of the rest. */
  #items<Result>(closures: Closures<Result>) {
    const write = (node: Node): Writer<Result> => node.writer(closures, false)
    const rest =
      this.#parts.rest === undefined ? refusal(tooLong(this.#parts.prefix.length)) : write(this.#parts.rest)
    return { prefix: this.#parts.prefix.map(write), rest }
  }

  #appendItems(items: Code, context: TextContext): void {
    const { out } = context
    out.text('[').flush()
    this.#eachItem(items, context, (node, item, index, pointer) => {
      if (typeof index !== 'number') out.pair(code`${index} === 0`, '', ',')
      else if (index > 0) out.text(',')
      node.append(item, { ...context, pointer, isRecord: false })
      out.flush()
    })
    out.text(']')
  }

  /**
   * Writes the items: the prefix one by one, the rest in a loop.
   * @param put - writes one of them; its pointer is relative to the array in the loop
   */
  #eachItem(items: Code, { unit, scope, pointer }: CodeContext, put: PutItem): void {
    const { writer } = scope
    const start = this.#parts.prefix.length
    this.#parts.prefix.forEach((node, at) => {
      const item = unit.writer.unique('x')
      writer.block(code`if (${items}.length > ${at})`, () => {
        writer.line(code`const ${item} = ${items}[${at}]`)
        put(node, item, at, `${pointer}/${at}`)
      })
    })
    const rest = this.#parts.rest
    if (rest === undefined) {
      const refusal = unit.refuse(tooLong(start), `${pointer}/${start}`)
      writer.line(code`if (${items}.length > ${start}) ${refusal}`)
      return
    }
    const [index, item] = [unit.writer.unique('i'), unit.writer.unique('x')]
    writer.line(code`let ${index} = ${start}`)
    writer.line(code`try {`)
    writer.block(code`for (; ${index} < ${items}.length; ${index}++)`, () => {
      writer.line(code`const ${item} = ${items}[${index}]`)
      put(rest, item, index, '')
    })
    writer.line(code`} ${unit.catchAt(pointer, index)}`)
  }
}

type PutItem = (node: Node, item: Code, index: Code | number, pointer: string) => void

/** The reason why no item may follow the prefix. */
function tooLong(length: number): string {
  return length === 0 ? 'the array must be empty' : `Item at ${length} does not match schema definition.`
}
