import { defined, isRecord } from '../guards.ts'
import type { JsonSchema, Parameter } from '../types.ts'
import type { PathParameter, PathTemplate } from './path.ts'
import { propertiesOf } from './route.ts'
import type { Property, RouteSchemas } from './route.ts'

/** Writes the parameters of an operation: of its path, query string, headers and cookies. */
export function parametersOf(schemas: RouteSchemas, template: PathTemplate): Parameter[] {
  const { schema, written } = schemas.route
  return [
    ...pathParameters(schemas, template),
    ...queryParameters(schemas, schema.querystring),
    ...namedParameters(schemas, written['headers'], 'header', 'headers'),
    ...namedParameters(schemas, asObjectSchema(written['cookies']), 'cookie', 'cookies'),
  ]
}

function pathParameters(schemas: RouteSchemas, { parameters }: PathTemplate): Parameter[] {
  const { params } = schemas.route.schema
  const described =
    params === undefined
      ? new Map<string, Property>()
      : propertiesOf(schemas.open(params, 'input', 'params'), schemas).byName
  return parameters.map((parameter) => {
    const { name, documentName } = parameter
    const property = described.get(name)
    return {
      ...parameterOf(schemas, 'path', documentName, property),
      required: true,
      schema: matching(
        property === undefined ? { type: 'string' } : schemas.write(property.location, 'params'),
        parameter,
      ),
      ...(name === '*' ? { 'x-wildcard': true } : {}),
    }
  })
}

/** Adds the pattern of the path to a string schema without its own. */
function matching(schema: JsonSchema, { pattern }: PathParameter): JsonSchema {
  if (pattern === null || !isRecord(schema) || schema['type'] !== 'string' || 'pattern' in schema)
    return schema
  return { ...schema, pattern }
}

/** Writes one parameter for each property, or a single one if the schema has rules beyond its properties. */
function queryParameters(schemas: RouteSchemas, query: unknown): Parameter[] {
  if (query === undefined) return []
  const root = schemas.open(query, 'input', 'querystring')
  const { byName, isComplete } = propertiesOf(root, schemas)
  if (!isComplete) {
    const schema = schemas.write(root, 'querystring')
    return [{ name: 'query', in: 'query', style: 'form', explode: true, schema }]
  }
  return listOf(schemas, byName, 'query', 'querystring')
}

function namedParameters(
  schemas: RouteSchemas,
  schema: unknown,
  where: 'header' | 'cookie',
  part: string,
): Parameter[] {
  if (schema === undefined) return []
  const root = schemas.open(schema, 'input', part)
  return listOf(schemas, propertiesOf(root, schemas).byName, where, part)
}

function listOf(
  schemas: RouteSchemas,
  properties: ReadonlyMap<string, Property>,
  where: Parameter['in'],
  part: string,
): Parameter[] {
  return [...properties].map(([name, property]) => {
    const schema = schemas.write(property.location, part)
    // A value with a default may be missing.
    const isRequired = property.isRequired && !(isRecord(schema) && 'default' in schema)
    const isObject = where === 'query' && isRecord(schema) && schema['type'] === 'object'
    return {
      ...parameterOf(schemas, where, name, property),
      ...(isRequired ? { required: true } : {}),
      ...(isObject ? { style: 'deepObject', explode: true } : {}),
      schema,
    }
  })
}

function parameterOf(
  schemas: RouteSchemas,
  where: Parameter['in'],
  name: string,
  property: Property | undefined,
): Omit<Parameter, 'schema'> & { readonly in: Parameter['in']; readonly name: string } {
  const own = property?.location.schema
  const target = property === undefined ? undefined : schemas.follow(property.location).schema
  const { description, deprecated } = { ...(isRecord(target) ? target : {}), ...(isRecord(own) ? own : {}) }
  return {
    name,
    in: where,
    ...defined({
      description: typeof description === 'string' ? description : undefined,
      deprecated: deprecated === true ? true : undefined,
    }),
  }
}

/** With `cookieSchemas: 'document'`, the framework does not read the schema of cookies, so it may be in the shortened form. */
function asObjectSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return undefined
  const isFull = ['type', 'properties', '$ref', 'allOf'].some((keyword) => keyword in schema)
  return isFull ? schema : { type: 'object', properties: schema }
}
