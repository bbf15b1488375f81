import type { Arbitrary } from 'fast-check'

import { isRecord } from '../guards.ts'
import { loadFastCheck } from '../packages.ts'
import type { Operation, Parameter } from '../types.ts'
import { canWrite } from './encode.ts'
import type { BodyValue, ParameterValue, RequestValues } from './encode.ts'
import { pointerTo } from './schemas.ts'
import type { DocumentSchemas } from './schemas.ts'
import type { ValueMaker } from './values.ts'

export interface LocatedOperation {
  readonly method: string
  readonly path: string
  readonly pointer: string
  readonly operation: Operation
}

/** A drawn request. `broken` says what the document does not allow; `null` for a valid request. */
export interface DrawnRequest {
  readonly values: RequestValues
  readonly broken: string | null
  /** Whether to send it without the common headers, which may contain credentials. */
  readonly isAnonymous: boolean
}

/** Draws the requests of one operation. */
export class RequestMaker {
  readonly #fc = loadFastCheck()
  readonly #located: LocatedOperation
  readonly #schemas: DocumentSchemas
  readonly #values: ValueMaker

  constructor(located: LocatedOperation, schemas: DocumentSchemas, values: ValueMaker) {
    this.#located = located
    this.#schemas = schemas
    this.#values = values
  }

  valid(): Arbitrary<DrawnRequest> {
    const { method, path } = this.#located
    return this.#fc.tuple(this.#parameters(), this.#body()).map(([parameters, body]) => ({
      values: { method, path, parameters, body },
      broken: null,
      isAnonymous: false,
    }))
  }

  /** Returns requests that are valid except for missing credentials; `null` if the document requires none. */
  anonymous(): Arbitrary<DrawnRequest> | null {
    const security = this.#located.operation.security ?? this.#schemas.security
    const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0)
    if (isOpen) return null
    const { credentials } = this.#schemas
    return this.valid().map(({ values, broken }) => {
      const parameters = values.parameters.filter(
        ({ parameter }) => !credentials.has(parameter.name.toLowerCase()),
      )
      return { values: { ...values, parameters }, broken, isAnonymous: true }
    })
  }

  /** Returns requests with one mistake that no type coercion repairs; `null` if none is possible. */
  invalid(): Arbitrary<DrawnRequest> | null {
    const breaks = this.#breaks()
    if (breaks.length === 0) return null
    return this.#fc
      .tuple(this.valid(), this.#fc.constantFrom(...breaks))
      .map(([{ values }, { name, apply }]) => ({ values: apply(values), broken: name, isAnonymous: false }))
  }

  /** Whether all values of a request match their schemas and can be written. */
  isValid({ parameters, body }: RequestValues): boolean {
    const listed = this.#located.operation.parameters ?? []
    return (
      parameters.every((one) => {
        const at = pointerTo(this.#located.pointer, 'parameters', listed.indexOf(one.parameter), 'schema')
        return canWrite(one) && this.#schemas.judge(at)(one.value) === null
      }) &&
      (body === null ||
        this.#bodyPointer(body) === null ||
        this.#schemas.judge(this.#bodyPointer(body) ?? '')(body.value) === null)
    )
  }

  #parameters(): Arbitrary<ParameterValue[]> {
    const listed = this.#located.operation.parameters ?? []
    const each = listed.map((parameter, index) => {
      const at = pointerTo(this.#located.pointer, 'parameters', index, 'schema')
      const one = this.#parameter(parameter, at)
      return parameter.required === true ? one.map((value) => [value]) : this.#maybe(one)
    })
    return this.#fc.tuple(...each).map((lists) => lists.flat())
  }

  #parameter(parameter: Parameter, at: string): Arbitrary<ParameterValue> {
    const { value: schema } = this.#schemas.at(at)
    const isOpen = !isRecord(schema) || Object.keys(schema).every((key) => ANNOTATIONS.has(key))
    const isPlainText =
      isRecord(schema) &&
      schema['type'] === 'string' &&
      !('pattern' in schema || 'format' in schema || 'enum' in schema)
    const values =
      isOpen || (isPlainText && !('minLength' in schema))
        ? this.#fc.stringMatching(/^[a-z0-9]{1,12}$/)
        : this.#values.valuesAt(at)
    return values.map((value) => ({ parameter, value }))
  }

  #maybe<T>(values: Arbitrary<T>): Arbitrary<T[]> {
    return this.#fc.option(values, { nil: undefined }).map((value) => (value === undefined ? [] : [value]))
  }

  #body(): Arbitrary<BodyValue | null> {
    const { requestBody } = this.#located.operation
    const none = this.#fc.constant(null)
    if (requestBody === undefined) return none
    const types = Object.keys(requestBody.content)
    if (types.length === 0) return none
    const bodies = types.map((mediaType) => {
      const at = this.#schemaPointer(mediaType)
      const values = at === null ? this.#fc.string() : this.#values.valuesAt(at)
      return values.map((value) => ({ mediaType, value }))
    })
    return requestBody.required === true ? this.#fc.oneof(...bodies) : this.#fc.oneof(none, ...bodies)
  }

  #bodyPointer({ mediaType }: BodyValue): string | null {
    return this.#schemaPointer(mediaType)
  }

  #schemaPointer(mediaType: string): string | null {
    const at = pointerTo(this.#located.pointer, 'requestBody', 'content', mediaType, 'schema')
    return this.#schemas.at(at).value === undefined ? null : at
  }

  /** Returns the ways to break a request that no type coercion repairs. */
  #breaks(): Break[] {
    const { requestBody, parameters = [] } = this.#located.operation
    const removed = parameters
      .filter(({ required, in: where }) => required === true && where !== 'path')
      .map(({ name, in: where }) => removeParameter(name, where))
    const types = Object.keys(requestBody?.content ?? {}).filter((type) => type === 'application/json')
    const ofBody = types.flatMap((type) => this.#bodyBreaks(type))
    const missing = requestBody?.required === true && types.length > 0 ? [WITHOUT_BODY] : []
    return [...removed, ...missing, ...ofBody]
  }

  #bodyBreaks(mediaType: string): Break[] {
    const at = this.#schemaPointer(mediaType)
    const schema = at === null ? undefined : this.#schemas.at(at).value
    if (!isRecord(schema) || schema['type'] !== 'object') return []
    const { required, properties } = schema
    const described = isRecord(properties) ? properties : {}
    const withDefault = (name: string): boolean => {
      const property = described[name]
      return isRecord(property) && 'default' in property
    }
    const names = Array.isArray(required) ? required.map(String).filter((name) => !withDefault(name)) : []
    const scalars = Object.entries(described).filter(
      ([, property]) =>
        isRecord(property) && ['string', 'integer', 'number', 'boolean'].includes(String(property['type'])),
    )
    return [
      ...names.map((name) => removeProperty(name, mediaType)),
      ...scalars.map(([name]) => replaceProperty(name, mediaType)),
    ]
  }
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'examples',
  'deprecated',
  'default',
])

interface Break {
  readonly name: string
  readonly apply: (values: RequestValues) => RequestValues
}

const WITHOUT_BODY: Break = { name: 'without its body', apply: (values) => ({ ...values, body: null }) }

function removeParameter(name: string, where: Parameter['in']): Break {
  return {
    name: `without the ${where} parameter '${name}'`,
    apply: (values) => ({
      ...values,
      parameters: values.parameters.filter(
        ({ parameter }) => parameter.name !== name || parameter.in !== where,
      ),
    }),
  }
}

function removeProperty(name: string, mediaType: string): Break {
  return changeBody(`without '${name}' in the body`, mediaType, (body) =>
    Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)),
  )
}

/** An object with properties is never coerced to a scalar. */
function replaceProperty(name: string, mediaType: string): Break {
  return changeBody(`with an object as '${name}' in the body`, mediaType, (body) => ({
    ...body,
    [name]: { wrong: true },
  }))
}

function changeBody(
  name: string,
  mediaType: string,
  change: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Break {
  return {
    name,
    apply: (values) => {
      const { body } = values
      const value = isRecord(body?.value) ? body.value : {}
      return { ...values, body: { mediaType, value: change(value) } }
    },
  }
}
