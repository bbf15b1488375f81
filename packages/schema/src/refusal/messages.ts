/* What Ajv 8 says of each keyword that refuses a value: the parameters of its errors and the sentence made of them. */

interface Nothing {
  readonly [name: string]: never
}

interface Limit {
  readonly limit: number
}

interface Comparison extends Limit {
  readonly comparison: string
}

interface Dependency {
  readonly property: string
  readonly missingProperty: string
  readonly depsCount: number
  readonly deps: string
}

/** The parameters of errors, by keyword. */
export interface ErrorParams {
  readonly 'false schema': Nothing
  readonly type: { readonly type: unknown }
  readonly const: { readonly allowedValue: unknown }
  readonly enum: { readonly allowedValues: unknown }
  readonly not: Nothing
  readonly anyOf: Nothing
  readonly oneOf: { readonly passingSchemas: unknown }
  readonly if: { readonly failingKeyword: string }
  readonly maximum: Comparison
  readonly minimum: Comparison
  readonly exclusiveMaximum: Comparison
  readonly exclusiveMinimum: Comparison
  readonly multipleOf: { readonly multipleOf: number }
  readonly maxLength: Limit
  readonly minLength: Limit
  readonly pattern: { readonly pattern: string }
  readonly format: { readonly format: string }
  readonly maxItems: Limit
  readonly minItems: Limit
  readonly additionalItems: Limit
  readonly items: Limit
  readonly contains: { readonly minContains: number; readonly maxContains?: number }
  readonly unevaluatedItems: Limit
  readonly uniqueItems: { readonly i: number; readonly j: number }
  readonly maxProperties: Limit
  readonly minProperties: Limit
  readonly required: { readonly missingProperty: string }
  readonly propertyNames: { readonly propertyName: string }
  readonly additionalProperties: { readonly additionalProperty: string }
  readonly dependencies: Dependency
  readonly dependentRequired: Dependency
  readonly unevaluatedProperties: { readonly unevaluatedProperty: string }
}

/** A keyword that can be named in an error. */
export type ErrorKeyword = keyof ErrorParams

const tooMany = ({ limit }: Limit): string => `must NOT have more than ${limit} items`
const missing = ({ property, depsCount, deps }: Dependency): string =>
  `must have ${depsCount === 1 ? 'property' : 'properties'} ${deps} when property ${property} is present`
const compared = ({ comparison, limit }: Comparison): string => `must be ${comparison} ${limit}`

/** The sentence of an error, by keyword. */
export const MESSAGES: { readonly [Keyword in ErrorKeyword]: (params: ErrorParams[Keyword]) => string } = {
  'false schema': () => 'boolean schema is false',
  type: ({ type }) => `must be ${String(type)}`,
  const: () => 'must be equal to constant',
  enum: () => 'must be equal to one of the allowed values',
  not: () => 'must NOT be valid',
  anyOf: () => 'must match a schema in anyOf',
  oneOf: () => 'must match exactly one schema in oneOf',
  if: ({ failingKeyword }) => `must match "${failingKeyword}" schema`,
  maximum: compared,
  minimum: compared,
  exclusiveMaximum: compared,
  exclusiveMinimum: compared,
  multipleOf: ({ multipleOf }) => `must be multiple of ${multipleOf}`,
  maxLength: ({ limit }) => `must NOT have more than ${limit} characters`,
  minLength: ({ limit }) => `must NOT have fewer than ${limit} characters`,
  pattern: ({ pattern }) => `must match pattern "${pattern}"`,
  format: ({ format }) => `must match format "${format}"`,
  maxItems: tooMany,
  minItems: ({ limit }) => `must NOT have fewer than ${limit} items`,
  additionalItems: tooMany,
  items: tooMany,
  contains: ({ minContains, maxContains }) =>
    maxContains === undefined
      ? `must contain at least ${minContains} valid item(s)`
      : `must contain at least ${minContains} and no more than ${maxContains} valid item(s)`,
  unevaluatedItems: tooMany,
  uniqueItems: ({ i, j }) => `must NOT have duplicate items (items ## ${j} and ${i} are identical)`,
  maxProperties: ({ limit }) => `must NOT have more than ${limit} properties`,
  minProperties: ({ limit }) => `must NOT have fewer than ${limit} properties`,
  required: ({ missingProperty }) => `must have required property '${missingProperty}'`,
  propertyNames: () => 'property name must be valid',
  additionalProperties: () => 'must NOT have additional properties',
  dependencies: missing,
  dependentRequired: missing,
  unevaluatedProperties: () => 'must NOT have unevaluated properties',
}
