import type { SchemaNode } from '../walk/node.ts'
import { TestPart, type Keyword, type ListData, type ObjectData } from '../walk/part.ts'
import { ASK, NO, YES, type Verdict } from '../walk/verdict.ts'

interface Params {
  readonly limit: number
}

type CountKeyword = 'maxItems' | 'minItems' | 'maxProperties' | 'minProperties'

/** A limit of how many items or properties there are. */
abstract class CountPart<Data> extends TestPart<Data, Params> {
  readonly keyword: CountKeyword
  readonly #limit: number
  readonly #isMaximum: boolean

  constructor(node: SchemaNode, keyword: CountKeyword, limit: number) {
    super(node)
    this.keyword = keyword
    this.#limit = limit
    this.#isMaximum = keyword.startsWith('max')
  }

  abstract readonly counted: string
  abstract count(data: Data): number

  test(data: Data): boolean {
    const count = this.count(data)
    return this.#isMaximum ? count <= this.#limit : count >= this.#limit
  }

  params(): Params {
    return { limit: this.#limit }
  }

  message({ limit }: Params): string {
    return `must NOT have ${this.#isMaximum ? 'more' : 'fewer'} than ${limit} ${this.counted}`
  }
}

class ItemCountPart extends CountPart<ListData> {
  readonly counted = 'items'

  get admitsOne(): boolean {
    return this.test([undefined])
  }

  count(list: ListData): number {
    return list.length
  }
}

/** Properties are counted when defaults are filled in and others removed. */
class PropertyCountPart extends CountPart<ObjectData> {
  readonly counted = 'properties'
  override readonly seesEdits: boolean

  constructor(node: SchemaNode, keyword: CountKeyword, limit: number) {
    super(node, keyword, limit)
    this.seesEdits = node.context.mayEdit && node.declared.changes
  }

  override fits(object: ObjectData): Verdict {
    return this.test(object) ? YES : this.seesEdits ? ASK : NO
  }

  count(object: ObjectData): number {
    return Object.keys(object).length
  }
}

/** The keywords `maxItems` and `minItems`. */
export function itemCount(keyword: 'maxItems' | 'minItems'): Keyword<ListData> {
  return {
    names: [keyword],
    read(node) {
      const limit = node.schema[keyword]
      return typeof limit === 'number' ? new ItemCountPart(node, keyword, limit) : undefined
    },
  }
}

/** The keywords `maxProperties` and `minProperties`. */
export function propertyCount(keyword: 'maxProperties' | 'minProperties'): Keyword<ObjectData> {
  return {
    names: [keyword],
    read(node) {
      const limit = node.schema[keyword]
      return typeof limit === 'number' ? new PropertyCountPart(node, keyword, limit) : undefined
    },
  }
}
