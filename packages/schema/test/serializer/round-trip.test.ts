import { isDeepStrictEqual } from 'node:util'
import metaSchema from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { readGroups, readRemotes, type SuiteGroup } from '../../../../conformance/draft7/suite.ts'
import { SchemaScope } from '../../src/document/location.ts'
import { createSerializer } from '../../src/serializer/index.ts'
import { SuiteReference } from './suite-reference.ts'

/*
 * Every valid value of the official draft-7 suite is written and read back; what comes out must be the
 * part of the value that its schema declares. The counts stand in docs/serialization.md too.
 */

const remotes = new Map(
  readRemotes().flatMap((remote): [string, unknown][] =>
    '$id' in remote && typeof remote.$id === 'string' ? [[remote.$id, remote]] : [],
  ),
)
remotes.set('http://json-schema.org/draft-07/schema', metaSchema)
const scope = new SchemaScope({ get: (id) => remotes.get(id), ids: () => remotes.keys() })

const schemas: Record<string, object> = {}
for (const [id, schema] of remotes) if (typeof schema === 'object' && schema !== null) schemas[id] = schema

type Mode = 'compat' | 'strict'
const BACK_ENDS = ['concat', 'project', 'text', 'copy'] as const
type BackEnd = (typeof BACK_ENDS)[number]

/** The valid values that do not come back as the reference says, by name. */
function deviations(mode: Mode, backEnd: BackEnd): string[] {
  return groups.flatMap(({ group, expected }) => {
    const serialize = attempt(() => createSerializer(group.schema, { schemas, mode, backEnd }))
    return expected.flatMap(({ name, data, projection }) => {
      const text = serialize === undefined ? undefined : attempt(() => serialize(data))
      return text !== undefined && isDeepStrictEqual(JSON.parse(text), projection) ? [] : [name]
    })
  })
}

function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

function expectedOf(group: SuiteGroup): { name: string; data: unknown; projection: unknown }[] {
  const reference = new SuiteReference(scope, scope.open(group.schema), remotes)
  return group.tests
    .filter(({ valid }) => valid)
    .map(({ data, description }) => ({
      name: `${group.file}: ${group.description}: ${description}`,
      data,
      projection: reference.project(data),
    }))
}

const groups = readGroups().map((group) => ({ group, expected: expectedOf(group) }))

describe.each(BACK_ENDS)('the official draft-7 suite, written and read back (%s)', (backEnd) => {
  it('loses nothing in strict mode except the listed cases', () => {
    expect(groups.flatMap(({ expected }) => expected)).toHaveLength(550)
    expect(deviations('strict', backEnd)).toEqual([
      'anyOf: anyOf complex types: both anyOf valid (complex)',
      'default: invalid type for default: still valid when the invalid default is used',
      'default: invalid string value for default: still valid when the invalid default is used',
      'default: the default keyword does not do anything if the property is missing: missing properties are not filled in with the default',
      'definitions: validate definition against metaschema: valid definition schema',
      'ref: $ref prevents a sibling $id from changing the base uri: $ref resolves to /definitions/base_foo, data validates',
      'ref: remote ref, containing refs itself: remote ref valid',
    ])
  })

  it('differs in compat mode where the type of a value is not that of the keywords', () => {
    expect(deviations('compat', backEnd)).toHaveLength(93)
  })
})
