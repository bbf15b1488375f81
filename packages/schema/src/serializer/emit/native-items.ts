/** Arrays that `JSON.stringify` can write as they are. */
import { code, type Code } from '../../codegen/code.ts'
import type { RuntimeName } from '../../codegen/reference.ts'
import type { CodeWriter } from '../../codegen/writer.ts'
import type { ArrayNode, Node } from '../ir.ts'

/** Returns the test of the items for generated code; undefined when the items are not plain scalars. */
export function nativeItems(writer: CodeWriter, node: ArrayNode, items: Code): Code | undefined {
  if (node.nativeFrom !== undefined) return code`${items}.length >= ${node.nativeFrom}`
  if (node.prefix.length > 0 || node.rest === undefined) return undefined
  const test = testOf(node.rest)
  return test === undefined ? undefined : code`${writer.use(test)}(${items})`
}

function testOf(item: Node): RuntimeName | undefined {
  switch (item.kind) {
    case 'string':
      return item.format === 'plain' ? 'areStrings' : undefined
    case 'integer':
      return 'areIntegers'
    case 'number':
      return 'areNumbers'
    default:
      return undefined
  }
}
