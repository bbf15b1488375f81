import type { RouteDescription } from 'cloister'
import type { InspectedRoute } from 'cloister/inspect'
import { childLocation, isStandardSchema } from '@cloister/schema'
import type { SchemaLocation } from '@cloister/schema'

import type { DocumentOptions, SchemaPurpose } from '../options.ts'
import { OpenApiError } from '../errors.ts'
import { isRecord } from '../guards.ts'
import type { Translator, SchemaUse } from '../schema/translate.ts'
import type { JsonSchema } from '../types.ts'

/** Returns `GET /users/:id (file:line)`, for messages. */
export function labelOf({ method, url, callSite }: RouteDescription): string {
  return `${method} ${url}${callSite === null ? '' : ` (${callSite})`}`
}

/** Reads the schemas of one route for its operation. */
export class RouteSchemas {
  readonly route: InspectedRoute
  readonly #translator: Translator
  readonly #toJsonSchema: DocumentOptions['toJsonSchema']
  readonly #operationId: string

  constructor(
    route: InspectedRoute,
    operationId: string,
    { translator, toJsonSchema }: { translator: Translator; toJsonSchema: DocumentOptions['toJsonSchema'] },
  ) {
    this.route = route
    this.#operationId = operationId
    this.#translator = translator
    this.#toJsonSchema = toJsonSchema
  }

  /** Opens a schema of the route. Converts one of another library to JSON Schema first, with `toJsonSchema`. */
  open(schema: unknown, side: SchemaPurpose['side'], part: string): SchemaLocation {
    const { scope } = this.route
    if (isJsonSchema(schema)) return scope.open(schema)
    const where = `${labelOf(this.route.description)}, ${part}`
    const converted = this.#toJsonSchema?.(schema, { side, where })
    if (converted !== undefined) return scope.open(converted)
    throw new OpenApiError(
      'CLO_ERR_OPENAPI_SCHEMA',
      `${where}: the schema comes from a library that offers no JSON Schema (Standard JSON Schema) for it; ` +
        'give @cloister/openapi the option toJsonSchema, which returns one, or hide the route with schema: { hide: true }',
    )
  }

  write(
    at: SchemaLocation,
    part: string,
    without: readonly string[] = [],
    side: SchemaPurpose['side'] = 'input',
  ): JsonSchema {
    const use = this.#use(part, without, side)
    return at.pointer === '' && without.length === 0
      ? this.#translator.translateRoot(at, use)
      : this.#translator.translate(at, use)
  }

  read(
    schema: unknown,
    side: SchemaPurpose['side'],
    part: string,
    without: readonly string[] = [],
  ): JsonSchema {
    return this.write(this.open(schema, side, part), part, without, side)
  }

  /** Follows `$ref` until a schema has none. */
  follow(at: SchemaLocation): SchemaLocation {
    const seen = new Set<unknown>()
    let found = at
    while (isRecord(found.schema) && typeof found.schema['$ref'] === 'string' && !seen.has(found.schema)) {
      seen.add(found.schema)
      const target = this.route.scope.resolve(found, found.schema['$ref'])
      if (target === undefined) return found
      found = target
    }
    return found
  }

  #use(part: string, without: readonly string[], side: SchemaPurpose['side']): SchemaUse {
    const label = labelOf(this.route.description)
    const suffix = part.replaceAll(/[^a-zA-Z0-9]+(.)?/g, (_, next?: string) => next?.toUpperCase() ?? '')
    return {
      scope: this.route.scope,
      localName: `${this.#operationId}${suffix.slice(0, 1).toUpperCase()}${suffix.slice(1)}`,
      without,
      isSent: side === 'output',
      refuse: (pointer, reason) =>
        new OpenApiError(
          'CLO_ERR_OPENAPI_SCHEMA',
          `${label}, ${part}: OpenAPI cannot say what the schema says at "${pointer.startsWith('/') || pointer === '' ? '#' : ''}${pointer}": ${reason}; ` +
            'write it with keywords of JSON Schema 2020-12, or hide the route with schema: { hide: true }',
        ),
    }
  }
}

export interface Property {
  readonly location: SchemaLocation
  readonly isRequired: boolean
}

/** The properties of an object schema, and whether the schema has no other rules. */
export interface Properties {
  readonly byName: ReadonlyMap<string, Property>
  readonly isComplete: boolean
}

/** Keywords that add no rules to the properties. */
const BESIDE_PROPERTIES: ReadonlySet<string> = new Set(
  (
    'type properties required allOf additionalProperties $ref $id $schema $anchor $defs definitions ' +
    'title description default example examples $comment'
  ).split(' '),
)

/** Collects the properties of an object schema, through `$ref` and `allOf`. */
export function propertiesOf(at: SchemaLocation, schemas: RouteSchemas): Properties {
  const byName = new Map<string, Property>()
  const required = new Set<string>()
  const queue = [at]
  const seen = new Set<unknown>()
  let isComplete = true
  for (const one of queue) {
    if (!isRecord(one.schema) || seen.has(one.schema)) continue
    seen.add(one.schema)
    const { properties, allOf, required: names, $ref, additionalProperties } = one.schema
    if (typeof $ref === 'string') queue.push(schemas.follow(one))
    if (Array.isArray(allOf)) queue.push(...allOf.map((_, index) => childLocation(one, ['allOf', index])))
    if (Array.isArray(names)) for (const name of names) required.add(String(name))
    isComplete &&= Object.keys(one.schema).every((key) => BESIDE_PROPERTIES.has(key) || key.startsWith('x-'))
    isComplete &&= !isRecord(additionalProperties)
    for (const name of Object.keys(isRecord(properties) ? properties : {})) {
      isComplete &&= !byName.has(name)
      byName.set(name, { location: childLocation(one, ['properties', name]), isRequired: false })
    }
  }
  isComplete &&= [...required].every((name) => byName.has(name))
  const entries = [...byName].map(([name, { location }]): [string, Property] => [
    name,
    { location, isRequired: required.has(name) },
  ])
  return { byName: new Map(entries), isComplete }
}

/** Whether a schema is JSON Schema, and not one of another library. */
export function isJsonSchema(schema: unknown): boolean {
  if (typeof schema === 'boolean') return true
  if (!isRecord(schema) || isStandardSchema(schema)) return false
  const prototype: unknown = Object.getPrototypeOf(schema)
  return prototype === Object.prototype || prototype === null
}
