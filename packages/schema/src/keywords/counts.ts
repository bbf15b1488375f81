import { code } from '../codegen/code.ts'
import { assertion, type Keyword, type ListData, type ObjectData } from '../walk/part.ts'
import { numberIn } from './numbers.ts'

type Bound = 'maximum' | 'minimum'

const BOUNDS = {
  maximum: { word: 'more', operator: code`<=`, holds: (count: number, limit: number) => count <= limit },
  minimum: { word: 'fewer', operator: code`>=`, holds: (count: number, limit: number) => count >= limit },
} as const

/** The keywords `maxItems` and `minItems`. */
export function itemCount(name: 'maxItems' | 'minItems', bound: Bound): Keyword<ListData> {
  const { word, operator, holds } = BOUNDS[bound]
  return assertion({
    name,
    limitIn: (node) => numberIn(node, name),
    test: (list, limit) => holds(list.length, limit),
    params: (limit) => ({ limit }),
    message: ({ limit }) => `must NOT have ${word} than ${limit} items`,
    code: (list, limit) => code`${list}.length ${operator} ${limit}`,
    admitsOne: (limit) => holds(1, limit),
  })
}

/** The keywords `maxProperties` and `minProperties`. They count when defaults are filled in and others removed. */
export function propertyCount(name: 'maxProperties' | 'minProperties', bound: Bound): Keyword<ObjectData> {
  const { word, operator, holds } = BOUNDS[bound]
  return assertion({
    name,
    limitIn: (node) => numberIn(node, name),
    test: (object, limit) => holds(Object.keys(object).length, limit),
    params: (limit) => ({ limit }),
    message: ({ limit }) => `must NOT have ${word} than ${limit} properties`,
    code: (object, limit) => code`Object.keys(${object}).length ${operator} ${limit}`,
    seesEdits: ({ context, declared }) => context.mayEdit && declared.changes,
  })
}
