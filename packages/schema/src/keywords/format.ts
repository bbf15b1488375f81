import { formatTest, type FormatTest } from '../runtime/formats.ts'
import { addTextTest } from '../walk/leaf.ts'
import type { SchemaNode } from '../walk/node.ts'
import { TestPart, type Keyword } from '../walk/part.ts'

interface Params {
  readonly format: string
}

class FormatPart<Data extends number | string> extends TestPart<Data, Params> {
  readonly keyword = 'format'
  readonly #name: string
  readonly test: (data: Data) => boolean

  constructor(node: SchemaNode, name: string, test: FormatTest['test']) {
    super(node)
    this.#name = name
    this.test = asFunction(test)
  }

  params(): Params {
    return { format: this.#name }
  }

  message({ format: name }: Params): string {
    return `must match format "${name}"`
  }
}

/** The keyword `format` for numbers. */
export const numberFormat: Keyword<number> = { names: ['format'], read: (node) => read(node, 'number') }

/** The keyword `format` for texts. */
export const textFormat: Keyword<string> = {
  names: ['format'],
  read: (node) => read(node, 'string'),
  narrow(leaf, name) {
    const found = typeof name === 'string' ? formatTest(name) : undefined
    return found?.kind === 'string' && addTextTest(leaf, asFunction(found.test))
  },
}

function read<Data extends number | string>(
  node: SchemaNode,
  kind: FormatTest['kind'],
): FormatPart<Data> | undefined {
  const name = node.schema['format']
  const found = typeof name === 'string' ? formatTest(name) : undefined
  if (typeof name !== 'string' || found?.kind !== kind) return undefined
  return new FormatPart(node, name, found.test)
}

function asFunction(test: FormatTest['test']): (data: number | string) => boolean {
  if (test instanceof RegExp) return (data) => test.test(String(data))
  return (data) => Boolean(Reflect.apply(test, undefined, [data]))
}
