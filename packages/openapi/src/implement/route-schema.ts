import { isKnownFormat } from '@cloister/schema/internal'

import { UNCHECKED_FORMAT } from '../schema/dialect.ts'
import { entriesOf, isRecord } from '../guards.ts'
import { mapSchema } from './map-schema.ts'
import { routeParameter } from './paths.ts'
import { partsOf } from './specification.ts'
import type { Part, Specification, SpecifiedOperation } from './specification.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const COMPONENT = /^#\/components\/schemas\/([^/]+)(\/.*)?$/
/** Headers that other parts of an operation describe (OpenAPI Specification 3.1.1, section 4.8.12). */
const ELSEWHERE: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

/** A parameter, after following references. */
export interface SpecifiedParameter {
  readonly name: string
  readonly where: string
  readonly fields: Part
  /** As the app has it, with references to shared schemas. */
  readonly schema: unknown
}

/** Writes the schemas of routes for the operations of a document. */
export class RouteSchemaWriter {
  readonly #spec: Specification
  /** `$id` → schema, for the targets of references. */
  readonly #shared = new Map<string, unknown>()

  constructor(spec: Specification) {
    this.#spec = spec
  }

  /** The schemas that those of the routes refer to, under their names in the document. */
  get shared(): readonly object[] {
    return [...this.#shared].map(([$id, schema]) => {
      return { $id, $schema: DIALECT, ...(isRecord(schema) ? schema : { allOf: [schema] }) }
    })
  }

  parametersOf({ parameters }: SpecifiedOperation): SpecifiedParameter[] {
    return parameters.flatMap((given): SpecifiedParameter[] => {
      const fields = this.#spec.follow(given)
      const { in: where, name, content } = fields
      const [media] = partsOf(content, this.#spec)
      const schema = this.#referring(media?.[1]['schema'] ?? fields['schema'] ?? {})
      if (typeof name !== 'string' || typeof where !== 'string') return []
      if (where === 'header' && ELSEWHERE.has(name.toLowerCase())) return []
      return [{ name: where === 'path' ? routeParameter(name) : name, where, fields, schema }]
    })
  }

  /** Writes the schema of a route. Fields without rules for values are there for other tools. */
  write(operation: SpecifiedOperation, parameters: readonly SpecifiedParameter[]): Part {
    const { id, fields, method } = operation
    const [params, querystring, headers, cookies] = ['path', 'query', 'header', 'cookie'].map((where) =>
      objectOf(parameters.filter((one) => one.where === where)),
    )
    const body = method === 'GET' || method === 'HEAD' ? undefined : this.#body(fields['requestBody'])
    const response = this.#responses(fields['responses'])
    const annotations = ['tags', 'summary', 'description', 'deprecated'].map((key): [string, unknown] => [
      key,
      fields[key],
    ])
    const all = { operationId: id, params, querystring, headers, cookies, body, response }
    return Object.fromEntries(
      [...annotations, ...Object.entries(all)].filter(([, value]) => value !== undefined),
    )
  }

  isList({ schema }: SpecifiedParameter): boolean {
    let found: unknown = schema
    const seen = new Set<unknown>()
    while (isRecord(found) && typeof found['$ref'] === 'string' && !seen.has(found)) {
      seen.add(found)
      found = this.#shared.get(found['$ref'].replace(/#$/, ''))
    }
    return isRecord(found) && found['type'] === 'array'
  }

  #body(given: unknown): Part | undefined {
    const { content, required } = this.#spec.follow(given)
    if (entriesOf(content).length === 0) return undefined
    return { content: this.#content(content), ...(required === true ? {} : { required: false }) }
  }

  #responses(given: unknown): Part | undefined {
    // Extensions are not statuses. A response without content has no schema.
    const all = partsOf(given, this.#spec).filter(([status, { content }]) => {
      return !status.startsWith('x-') && entriesOf(content).length > 0
    })
    const entries = all.map(([status, { content, description }]): [string, object] => {
      return [status, { description, content: this.#content(content) }]
    })
    return all.length === 0 ? undefined : Object.fromEntries(entries)
  }

  #content(given: unknown): Part {
    const types = partsOf(given, this.#spec).map(([type, { schema = {}, encoding }]): [string, object] => {
      const own = this.#referring(schema)
      const media = { schema: isRecord(own) ? { $schema: DIALECT, ...own } : own }
      // It limits the media types of the files of a form.
      return [type, encoding === undefined ? media : { ...media, encoding }]
    })
    return Object.fromEntries(types)
  }

  #referring(schema: unknown): unknown {
    return mapSchema(schema, ({ format, ...one }) => {
      const { $ref } = one
      return {
        ...one,
        ...(typeof $ref === 'string' && $ref.startsWith('#/') ? { $ref: this.#share($ref) } : {}),
        // A document may name any format; the validator does not check unknown ones.
        ...(format === undefined ? {} : { [isKnown(format) ? 'format' : UNCHECKED_FORMAT]: format }),
      }
    })
  }

  /** Shares the target of a reference, and returns a reference to the shared schema. */
  #share(ref: string): string {
    const [, name, below = ''] = COMPONENT.exec(ref) ?? []
    const id = name ?? ref.replace('#/', '').replaceAll(/[^\w.-]+/g, '_')
    if (!this.#shared.has(id)) {
      this.#shared.set(id, {})
      const target = this.#spec.at(name === undefined ? ref : `#/components/schemas/${name}`)
      this.#shared.set(id, this.#referring(target))
    }
    return `${id}#${below}`
  }
}

function isKnown(format: unknown): boolean {
  return typeof format === 'string' && isKnownFormat(format)
}

function objectOf(parameters: readonly SpecifiedParameter[]): Part | undefined {
  if (parameters.length === 0) return undefined
  const required = parameters.filter(({ fields, where }) => where === 'path' || fields['required'] === true)
  return {
    $schema: DIALECT,
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
  }
}
