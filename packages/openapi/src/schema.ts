import type { InspectedRoute } from 'cloister/inspect'

import { RouteSchemas } from './document/route.ts'
import type { SchemaPurpose } from './options.ts'
import { Components } from './schema/components.ts'
import { Translator } from './schema/translate.ts'
import type { JsonSchema } from './types.ts'

export { templatesOf } from './document/path.ts'
export type { PathParameter, PathTemplate } from './document/path.ts'
export type { SchemaPurpose } from './options.ts'
export type { JsonSchema } from './types.ts'

/** Keys in a response's schema that belong to the response. */
const OF_RESPONSE = ['headers', 'x-response-description']

/**
 * Writes schemas of one route in 2020-12, for use outside of OpenAPI documents: their references point to
 * `#/$defs/`.
 */
export class StandaloneSchemas {
  readonly #components = new Components([], '#/$defs/')
  readonly #translator = new Translator(this.#components)
  readonly #schemas: RouteSchemas

  /**
   * @param name - the beginning of generated names for definitions
   * @param toJsonSchema - converts a schema of another library to JSON Schema
   */
  constructor(
    route: InspectedRoute,
    name: string,
    toJsonSchema?: (schema: unknown, purpose: SchemaPurpose) => object | boolean | undefined,
  ) {
    this.#schemas = new RouteSchemas(route, name, { translator: this.#translator, toJsonSchema })
  }

  /**
   * Writes one schema of the route.
   *
   * @param part - its name in messages, as in `body`
   * @throws OpenApiError `CLO_ERR_OPENAPI_SCHEMA` for what the dialect cannot express
   */
  write(schema: unknown, side: SchemaPurpose['side'], part: string): JsonSchema {
    return this.#schemas.read(schema, side, part, side === 'output' ? OF_RESPONSE : [])
  }

  /** Returns the definitions that the schemas written so far refer to, by name. */
  definitions(): Readonly<Record<string, JsonSchema>> {
    this.#translator.writeComponents()
    return this.#components.schemas
  }
}
