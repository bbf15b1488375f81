import { childLocation, type SchemaLocation } from '../../../document/location.ts'
import type { CheckNode, TestNode, Use } from '../ir.ts'
import { acceptsAnything } from '../../../document/survey.ts'
import type { Reader } from './reader.ts'
import { Unsupported } from './unsupported.ts'

type Schema = Record<string, unknown>

/** Reads the keywords that apply schemas to the same value, in the order of Ajv. */
export function readInPlace(reader: Reader, location: SchemaLocation, schema: Schema, use: Use): TestNode[] {
  const trials = schema['not'] ?? schema['anyOf'] ?? schema['oneOf'] ?? schema['if']
  if (trials !== undefined && !reader.policy.unions) throw new Unsupported('a union with all errors')
  const tests: TestNode[] = []
  const branches = (keyword: string, of: Use): CheckNode[] =>
    branchesOf(location, schema, keyword).map((branch) => reader.read(branch, of))
  if (schema['not'] !== undefined) tests.push(readNot(reader, childLocation(location, ['not'])))
  // Ajv 2020 tries every branch of "anyOf" and may change data in each.
  if (schema['anyOf'] !== undefined && reader.policy.isAjvDecider && location.document.dialect === '2020-12')
    throw new Unsupported('anyOf')
  if (schema['anyOf'] !== undefined && !hasOpenBranch(location, schema)) {
    tests.push({ kind: 'anyOf', branches: branches('anyOf', 'union') })
  }
  if (schema['oneOf'] !== undefined) tests.push({ kind: 'oneOf', branches: branches('oneOf', 'union') })
  if (schema['allOf'] !== undefined) {
    for (const node of branches('allOf', use)) tests.push({ kind: 'also', node })
  }
  if (schema['if'] !== undefined) readCondition(reader, location, use, tests)
  return tests
}

function branchesOf(location: SchemaLocation, schema: Schema, keyword: string): SchemaLocation[] {
  const list = schema[keyword]
  if (!Array.isArray(list)) throw new Unsupported(keyword)
  return list.map((_branch, index) => childLocation(location, [keyword, index]))
}

/** Whether some branch of `anyOf` takes every value. */
function hasOpenBranch(location: SchemaLocation, schema: Schema): boolean {
  return branchesOf(location, schema, 'anyOf').some((branch) => acceptsAnything(branch.schema))
}

function readNot(reader: Reader, location: SchemaLocation): TestNode {
  if (acceptsAnything(location.schema)) return { kind: 'never' }
  return { kind: 'not', node: reader.read(location, 'union') }
}

function readCondition(reader: Reader, location: SchemaLocation, use: Use, tests: TestNode[]): void {
  const [then, otherwise] = ['then', 'else'].map((keyword) => {
    const clause = childLocation(location, [keyword])
    return clause.schema === undefined || acceptsAnything(clause.schema)
      ? undefined
      : reader.read(clause, use)
  })
  if (then === undefined && otherwise === undefined) return
  const test = reader.read(childLocation(location, ['if']), 'union')
  tests.push({ kind: 'condition', test, then, otherwise })
}
