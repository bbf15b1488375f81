import { BodyContent, isInt64, isSchemaObject } from '@cloister/schema/internal'
import type { ImplementedOperation } from '@cloister/openapi'
import type { InspectedRoute } from 'cloister/inspect'

import { NamedTypes } from './named-types.ts'
import { typeOf } from './schema-type.ts'
import type { Writing } from './schema-type.ts'
import { docComment, print, propertyName, quoted, UNKNOWN } from './type-text.ts'
import { importsOf, writeNamed } from './write-api.ts'

/** A document, with the routes of an app that implements it. */
export interface ReadSpecification {
  readonly document: object
  readonly operations: readonly ImplementedOperation[]
  readonly routes: readonly InspectedRoute[]
}

/** Writes a module with an OpenAPI document and the types of its operations for handlers. */
export function writeSpecification({ document, operations, routes }: ReadSpecification): string {
  const read = routes.some(({ integers }) => integers === 'bigint') ? 'bigint' : 'number'
  let hasInt64 = false
  const integer: Writing['integer'] = ({ schema }, side) => {
    if (!isSchemaObject(schema) || !isInt64(schema)) return ['number']
    hasInt64 = true
    // Serializers write both exactly.
    return side === 'in' && read === 'bigint' ? ['number', 'bigint'] : [read]
  }
  const names: NamedTypes = new NamedTypes((target, place) =>
    typeOf(target, { ...place, names, file: null, integer }),
  )
  const byId = new Map(routes.map((route) => [route.written['operationId'], route]))
  const rows = operations.map((operation) => {
    const route = byId.get(operation.operationId)
    return route === undefined ? '' : writeOperation(operation, route, { names, integer })
  })
  const schemes = [...new Set(operations.flatMap(({ securitySchemes }) => securitySchemes))].toSorted()
  const union = schemes.length === 0 ? 'never' : schemes.map(quoted).join(' | ')
  const body = [
    `/** The operations of the document: the schemas of their routes. */\nexport interface Operations {\n${rows.join('')}}\n`,
    writeNamed(names, 'parsed', '/** Shared schemas, as handlers get them. */\nexport interface Parsed'),
    writeNamed(names, 'in', '/** Shared schemas, as handlers send them. */\nexport interface Inputs'),
    `/** The document, for \`implement\`. */\nexport const document: TypedDocument<${['Operations', union, ...(hasInt64 ? [quoted(read)] : [])].join(', ')}> = ${JSON.stringify(document, null, 2)}\n`,
  ].filter((part) => part !== '')
  const types = body.slice(0, -1).join('\n')
  const imports = [importsOf(types, 'cloister', ['FormFile', 'FormFiles']), IMPORT].join('')
  return `// Written by \`cloister types --from\`. Do not edit.\n${imports}\n${types}\n${body.at(-1)}`
}

const IMPORT = "import type { Typed, TypedDocument } from '@cloister/openapi'\n"

function writeOperation(
  operation: ImplementedOperation,
  route: InspectedRoute,
  { names, integer }: Pick<Writing, 'names' | 'integer'>,
): string {
  const { operationId: id, statusesWithoutContent } = operation
  const { schema, scope } = route
  const writing: Writing = {
    side: 'parsed',
    scope,
    route: id,
    names,
    file: null,
    part: '',
    warn: () => {},
    integer,
  }
  const typed = (one: unknown, how: Writing): string => `Typed<${print(typeOf(scope.open(one), how))}>`
  const parts = (['params', 'querystring', 'headers', 'cookies'] as const).flatMap((part) =>
    schema[part] === undefined ? [] : [`${part}: ${typed(schema[part], writing)}`],
  )
  const { body } = schema
  if (body instanceof BodyContent) {
    const content = [...body.content].map(([type, one]): [string, string] => [
      type,
      bodyType(type, one, writing),
    ])
    parts.push(`body: { ${contentMap(content)}${body.isRequired ? '' : '; required: false'} }`)
  }
  const responses = [...(schema.response ?? [])].map(([status, { content }]): [string, string] => {
    const types = [...(content ?? [])].map(([type, one]): [string, string] => [
      type,
      typed(one, { ...writing, side: 'in' }),
    ])
    return [status, `{ ${contentMap(types)} }`]
  })
  const empty = statusesWithoutContent.map((status): [string, string] => [
    status.toLowerCase(),
    'Typed<null | undefined>',
  ])
  const all = [...responses, ...empty].map(([status, text]) => `${propertyName(status)}: ${text}`)
  const lines = [
    ...parts,
    ...(all.length === 0 ? [] : [`response: {\n        ${all.join('\n        ')}\n      }`]),
  ]
  const doc = docComment(route.written, '\n')
  return `${doc === '' ? '' : `  ${doc}`}  ${propertyName(id)}: {\n    schema: {\n${lines.map((line) => `      ${line}\n`).join('')}    }\n  }\n`
}

function contentMap(types: readonly (readonly [string, string])[]): string {
  return `content: { ${types.map(([type, text]) => `${propertyName(type)}: { schema: ${text} }`).join('; ')} }`
}

/** Returns what the built-in parsers return for a body; unknown for other media types. */
function bodyType(type: string, schema: unknown, writing: Writing): string {
  const at = writing.scope.open(schema)
  if (type === 'multipart/form-data') return `Typed<${print(typeOf(at, { ...writing, file: 'FormFile' }))}>`
  const isRead = /[/+]json$|^application\/(?:x-www-form-urlencoded|x-ndjson|jsonl)$|^text\/plain$/.test(type)
  return `Typed<${print(isRead ? typeOf(at, writing) : UNKNOWN)}>`
}
