import { SchemaChecker as Checker } from '../check/check-schema.ts'
import type { PatternContext } from '../check/patterns.ts'
import { pointerOf } from '../document/pointer.ts'
import { eachSubschema, type Path } from '../document/subschemas.ts'
import { SchemaError } from '../errors.ts'
import { isSchemaObject } from '../guards.ts'
import { compileExpression } from '../regexp/compile.ts'
import type { PreparedSchema } from '../store/prepared-schema.ts'
import { formatTest } from '../runtime/formats.ts'
import { needKeywords } from './needs/keywords.ts'
import { needUnions } from './needs/unions.ts'

type Need = (value: unknown) => unknown

const keywords: Need = () => needKeywords()
const unions: Need = () => needUnions()
const expression: Need = (source) => {
  try {
    if (typeof source === 'string') compileExpression(source, 'u')
  } catch (error) {
    // The check of the schema says more about an expression that is not one.
    if (error instanceof SchemaError) throw error
  }
}
const expressions: Need = (patterns) => {
  if (isSchemaObject(patterns)) for (const source of Object.keys(patterns)) expression(source)
}

/** What schemas need by their keywords, however they are used. */
const NEEDS: ReadonlyMap<string, Need> = new Map<string, Need>([
  ['anyOf', unions],
  ['oneOf', unions],
  ['if', unions],
  ['contains', keywords],
  ['uniqueItems', keywords],
  ['propertyNames', keywords],
  ['unevaluatedItems', keywords],
  ['unevaluatedProperties', keywords],
  ['pattern', expression],
  ['patternProperties', expressions],
])

/** What validators need besides; serializers test no format. */
const VALIDATOR_NEEDS: ReadonlyMap<string, Need> = new Map<string, Need>([
  ['format', (name) => typeof name === 'string' && formatTest(name)],
])

/** Refuses also, while the app boots, schemas that need a feature which the bundle does not have. */
export class SchemaChecker extends Checker {
  override checkForValidation(
    schema: unknown,
    prepared: PreparedSchema,
    patterns: () => PatternContext,
  ): void {
    refuseMissing(prepared, VALIDATOR_NEEDS)
    if (prepared.uses('2020-12')) needKeywords()
    super.checkForValidation(schema, prepared, patterns)
  }

  override checkPatterns(schema: unknown, prepared: PreparedSchema, patterns: () => PatternContext): void {
    refuseMissing(prepared, VALIDATOR_NEEDS)
    refuseMissing(prepared, NEEDS)
    super.checkPatterns(schema, prepared, patterns)
  }

  override checkForSerialization(schema: unknown, prepared: PreparedSchema): void {
    refuseMissing(prepared, NEEDS)
    // The branch of a union is chosen with all keywords.
    if (hasUnion(prepared)) refuseMissing(prepared, VALIDATOR_NEEDS)
    super.checkForSerialization(schema, prepared)
  }
}

const UNIONS = ['anyOf', 'oneOf', 'if'] as const

function hasUnion(prepared: PreparedSchema): boolean {
  let isFound = false
  const note: Need = () => {
    isFound = true
  }
  refuseMissing(prepared, new Map(UNIONS.map((keyword) => [keyword, note])))
  return isFound
}

type Needs = ReadonlyMap<string, Need>

/** @throws {@link SchemaError} `FEATURE_MISSING` */
function refuseMissing({ content, closure }: PreparedSchema, needs: Needs): void {
  const seen = new Set<unknown>()
  visit(content.schema, needs, [], undefined, seen)
  for (const { id, content: shared } of closure.entries) visit(shared.schema, needs, [], id, seen)
}

function visit(
  schema: unknown,
  needs: Needs,
  path: Path,
  schemaId: string | undefined,
  seen: Set<unknown>,
): void {
  if (!isSchemaObject(schema) || seen.has(schema)) return
  seen.add(schema)
  for (const keyword of Object.keys(schema)) {
    try {
      needs.get(keyword)?.(schema[keyword])
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      const { code, reason } = error
      throw new SchemaError({ code, reason, pointer: pointerOf([...path, keyword]), schemaId })
    }
  }
  eachSubschema(schema, path, (child) => visit(child, needs, path, schemaId, seen))
}
