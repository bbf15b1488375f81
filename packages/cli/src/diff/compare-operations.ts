import type { Report } from './changes.ts'
import { compareSockets, compareTopics } from './compare-messages.ts'
import { compareSecurity } from './compare-security.ts'
import { placeOf, SchemaComparison } from './compare-schemas.ts'
import type { Comparison } from './compare-schemas.ts'
import type { Json } from './json.ts'
import { isObject, listOf, objectOf } from './json.ts'

type Side = 'request' | 'response'

/** Two versions of an operation. Each has the path parameters of its own document. */
export interface OperationPair {
  readonly before: Json
  readonly after: Json
  readonly shared: readonly [unknown, unknown]
}

/**
 * Compares two versions of an operation.
 *
 * @param incoming - the side that clients send: for webhooks and callbacks, `response`
 */
export function compareOperation(
  pair: OperationPair,
  comparison: Comparison,
  incoming: Side = 'request',
): void {
  const { before, after } = pair
  const { report } = comparison
  const schemas = new SchemaComparison(comparison)
  const outgoing: Side = incoming === 'request' ? 'response' : 'request'
  compareParameters(pair, comparison, schemas, incoming)
  compareBodies(before['requestBody'], after['requestBody'], comparison, schemas, incoming)
  compareResponses(before['responses'], after['responses'], comparison, schemas, outgoing)
  compareSockets(pair, report, schemas)
  compareTopics(pair, report)
  if (incoming === 'request') compareSecurity(before, after, comparison)
  const [id, other] = [before['operationId'], after['operationId']]
  if (id !== undefined && id !== other) {
    const message = `operationId: ${String(id)} → ${String(other ?? 'none')}; generated clients name their functions after it`
    report({ level: 'warning', check: 'operation-id-changed', where: 'operation', message })
  }
}

interface Parameter {
  readonly label: string
  readonly value: Json
}

/** Returns the parameters by location and name; those of the path by position. */
function parametersOf(
  operation: Json,
  shared: unknown,
  follow: (value: unknown) => Json,
): Map<string, Parameter> {
  const found = new Map<string, Parameter>()
  for (const given of [...listOf(shared), ...listOf(operation['parameters'])]) {
    const value = follow(given)
    const [place, name] = [String(value['in']), String(value['name'])]
    const key = place === 'header' ? name.toLowerCase() : name
    found.set(`${place} ${key}`, { label: `${place} parameter ${name}`, value })
  }
  return found
}

function compareParameters(
  { before, after, shared }: OperationPair,
  { before: first, after: second, report }: Comparison,
  schemas: SchemaComparison,
  side: Side,
): void {
  const old = parametersOf(before, shared[0], (value) => first.follow(value))
  const now = parametersOf(after, shared[1], (value) => second.follow(value))
  const isRequest = side === 'request'
  for (const [key, { label: where, value }] of old) {
    const next = now.get(key)?.value
    if (next === undefined) {
      const message = 'the parameter is gone; what clients send in it is ignored or refused'
      report({ level: 'warning', check: 'request-parameter-removed', where, message })
      continue
    }
    if (isRequest && value['required'] !== true && next['required'] === true) {
      const message = 'requests without it are refused'
      report({ level: 'error', check: 'request-parameter-became-required', where, message })
    }
    for (const field of ['style', 'explode', 'allowReserved']) {
      const [one, other] = [fieldOf(value, field), fieldOf(next, field)]
      if (one === other) continue
      const message = `${field}: ${one} → ${other}; clients write the value in the old way`
      report({ level: 'error', check: 'request-parameter-style-changed', where, message })
    }
    schemas.compare(schemaOf(value), schemaOf(next), placeOf(side, where))
  }
  for (const [key, { label: where, value }] of now) {
    if (!isRequest || old.has(key) || value['required'] !== true) continue
    const message = 'clients do not know of it; requests without it are refused'
    report({ level: 'error', check: 'request-parameter-added-required', where, message })
  }
}

const STYLES: Readonly<Record<string, string>> = {
  query: 'form',
  cookie: 'form',
  path: 'simple',
  header: 'simple',
}

function fieldOf(parameter: Json, field: string): string {
  const style = parameter['style'] ?? STYLES[String(parameter['in'])]
  const standard = { style, explode: style === 'form', allowReserved: false }[field]
  return String(parameter[field] ?? standard)
}

/** Returns the schema of a parameter, a header or a media type; with `content` it is one level deeper. */
function schemaOf(value: Json): unknown {
  const [content] = Object.values(objectOf(value['content']))
  return value['schema'] ?? objectOf(content)['schema'] ?? true
}

function compareBodies(
  given: unknown,
  wanted: unknown,
  comparison: Comparison,
  schemas: SchemaComparison,
  side: Side,
): void {
  const { report } = comparison
  const where = 'request body'
  if (given === undefined && wanted === undefined) return
  const [before, after] = [comparison.before.follow(given), comparison.after.follow(wanted)]
  const isRequest = side === 'request'
  if (given === undefined) {
    if (isRequest && after['required'] === true) {
      const message = 'requests without a body are refused'
      report({ level: 'error', check: 'request-body-added-required', where, message })
    }
    return
  }
  if (wanted === undefined) {
    const message = 'no body is taken any more'
    report({ level: 'error', check: 'request-body-removed', where, message })
    return
  }
  if (isRequest && before['required'] !== true && after['required'] === true) {
    const message = 'requests without a body are refused'
    report({ level: 'error', check: 'request-body-became-required', where, message })
  }
  compareContent(before['content'], after['content'], { where, side, report }, schemas)
}

interface ContentPlace {
  readonly where: string
  readonly side: Side
  readonly report: Report
}

function compareContent(
  given: unknown,
  wanted: unknown,
  { where, side, report }: ContentPlace,
  schemas: SchemaComparison,
): void {
  const [old, now] = [objectOf(given), objectOf(wanted)]
  for (const [type, media] of Object.entries(old)) {
    const next = now[type] ?? now[Object.keys(now).find((range) => covers(range, type)) ?? '']
    const place = `${where} ${type}`
    if (next === undefined) {
      const message =
        side === 'request' ? 'bodies of this type are refused' : 'clients that ask for it get another'
      report({ level: 'error', check: `${side}-media-type-removed`, where: place, message })
    } else schemas.compare(payloadOf(media), payloadOf(next), placeOf(side, place))
  }
}

/** Returns the schema of a body, or of the items of a stream as version 3.2 has it. */
function payloadOf(media: unknown): unknown {
  const { schema, itemSchema } = objectOf(media)
  return schema ?? itemSchema ?? true
}

/** Whether a range of media types, such as `text/*`, contains a type, ignoring parameters and case. */
function covers(range: string, type: string): boolean {
  const essence = (text: string): string => text.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const [one, other] = [essence(range), essence(type)]
  return one === other || one === '*/*' || (one.endsWith('/*') && other.startsWith(one.slice(0, -1)))
}

function compareResponses(
  given: unknown,
  wanted: unknown,
  comparison: Comparison,
  schemas: SchemaComparison,
  side: Side,
): void {
  const { report } = comparison
  const [old, now] = [objectOf(given), objectOf(wanted)]
  for (const [status, response] of Object.entries(old)) {
    const where = `response ${status}`
    const next = now[status] ?? now[`${status.charAt(0)}XX`] ?? now['default']
    if (next === undefined) {
      const isSuccess = /^[123]/.test(status)
      const message = isSuccess ? 'clients wait for this status' : 'clients may handle this status'
      const level = isSuccess ? 'error' : 'warning'
      report({ level, check: `response-${isSuccess ? '' : 'failure-'}status-removed`, where, message })
      continue
    }
    const [before, after] = [comparison.before.follow(response), comparison.after.follow(next)]
    compareContent(before['content'], after['content'], { where, side, report }, schemas)
    compareHeaders(before['headers'], after['headers'], where, comparison, schemas, side)
  }
  for (const status of Object.keys(now)) {
    if (
      old[status] !== undefined ||
      old[`${status.charAt(0)}XX`] !== undefined ||
      old['default'] !== undefined
    )
      continue
    if (!/^[123]/.test(status)) continue
    if (status.endsWith('XX') && Object.keys(old).some((one) => one.startsWith(status.charAt(0)))) continue
    const message = 'clients do not know this status'
    report({ level: 'warning', check: 'response-status-added', where: `response ${status}`, message })
  }
}

function compareHeaders(
  given: unknown,
  wanted: unknown,
  place: string,
  { before: first, after: second, report }: Comparison,
  schemas: SchemaComparison,
  side: Side,
): void {
  const lower = (headers: unknown): Json =>
    Object.fromEntries(Object.entries(objectOf(headers)).map(([name, value]) => [name.toLowerCase(), value]))
  const [old, now] = [lower(given), lower(wanted)]
  for (const [name, header] of Object.entries(old)) {
    const where = `${place} header ${name}`
    const before = first.follow(header)
    const isRequired = before['required'] === true
    if (now[name] === undefined) {
      const message = 'clients read this header'
      report({ level: isRequired ? 'error' : 'warning', check: 'response-header-removed', where, message })
      continue
    }
    const after = second.follow(now[name])
    if (isRequired && after['required'] !== true) {
      const message = 'clients count on this header'
      report({ level: 'error', check: 'response-header-became-optional', where, message })
    }
    schemas.compare(schemaOf(before), schemaOf(after), placeOf(side, where))
  }
}

/** Returns the operations of a path item, by method. */
export function operationsOf(item: unknown): [string, Json][] {
  const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']
  return METHODS.flatMap((method) => {
    const operation = objectOf(item)[method]
    return isObject(operation) ? [[method, operation] as [string, Json]] : []
  })
}
