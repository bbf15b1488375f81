import { isRecord } from '../guards.ts'
import { isJsonType, isLines } from './encode.ts'
import type { DrawnRequest, LocatedOperation } from './requests.ts'
import { pointerTo } from './schemas.ts'
import type { DocumentSchemas } from './schemas.ts'

/** What is wrong with a response. */
export type ProblemKind =
  /** A status 5xx that the document does not declare. */
  | 'server-error'
  /** The document does not declare this status. */
  | 'undeclared-status'
  /** The document declares this status, but not with this media type. */
  | 'undeclared-media-type'
  /** The payload does not match its schema. */
  | 'payload'
  /** The app refuses a request that the document allows. */
  | 'valid-refused'
  /** The app accepts a request that the document does not allow. */
  | 'invalid-accepted'
  /** The app accepts a request without the credentials that the document requires. */
  | 'security'
  /** A header in the document is missing. */
  | 'missing-header'
  /** The response did not arrive in time. */
  | 'timeout'

export interface Finding {
  readonly kind: ProblemKind
  readonly text: string
}

export interface ReceivedResponse {
  readonly status: number
  readonly contentType: string
  readonly text: string
  /** In lower case. */
  readonly headerNames: ReadonlySet<string>
  /** The code of an error response of the framework. */
  readonly errorCode: string
}

/** Compares responses with a document. */
export class ResponseJudge {
  readonly #schemas: DocumentSchemas

  constructor(schemas: DocumentSchemas) {
    this.#schemas = schemas
  }

  /** Returns what is wrong with a response; an empty list if nothing is. */
  findingsOf(located: LocatedOperation, request: DrawnRequest, response: ReceivedResponse): Finding[] {
    const { status } = response
    const key = declaredKey(located.operation.responses, status)
    if (status >= 500 && (key === undefined || key === 'default' || status === 500)) {
      return [{ kind: 'server-error', text: `status ${status}: ${shortened(response.text)}` }]
    }
    const verdict = verdictOf(request, response)
    const own = key === undefined ? undeclared(located, status) : this.#payload(located, key, response)
    const missing = key === undefined ? null : this.#missingHeader(located, key, response)
    return [verdict, own, missing].filter((finding) => finding !== null)
  }

  #missingHeader(
    { pointer }: LocatedOperation,
    key: string,
    { status, headerNames }: ReceivedResponse,
  ): Finding | null {
    const { value } = this.#schemas.at(pointerTo(pointer, 'responses', key))
    const headers = isRecord(value) && isRecord(value['headers']) ? Object.keys(value['headers']) : []
    const name = headers.find((one) => !headerNames.has(one.toLowerCase()))
    if (name === undefined) return null
    return { kind: 'missing-header', text: `the response of status ${status} has no header '${name}'` }
  }

  #payload({ pointer, method }: LocatedOperation, key: string, response: ReceivedResponse): Finding | null {
    const { value, pointer: at } = this.#schemas.at(pointerTo(pointer, 'responses', key))
    const { status, text, contentType } = response
    const content = isRecord(value) && isRecord(value['content']) ? value['content'] : null
    // A response without content in the document may have any content.
    if (content === null || method === 'head' || text === '') return null
    const declared = Object.keys(content)
    const type = declared.find((one) => matches(one, contentType))
    if (type === undefined) {
      const reason = `the document has ${declared.join(', ') || 'no media type'} for the status ${status}, and the payload is ${contentType || 'of no media type'}`
      return { kind: 'undeclared-media-type', text: reason }
    }
    const schemaAt = pointerTo(at, 'content', type, 'schema')
    if (this.#schemas.at(schemaAt).value === undefined) return null
    const values = valuesIn(contentType, text)
    const judge = this.#schemas.judge(schemaAt)
    const reason = values === null ? 'it is no JSON' : values.map(judge).find((one) => one !== null)
    if (reason == null) return null
    return {
      kind: 'payload',
      text: `the payload of status ${status} differs from the document: ${reason}: ${shortened(text)}`,
    }
  }
}

function verdictOf(
  { broken, isAnonymous }: DrawnRequest,
  { status, errorCode, text }: ReceivedResponse,
): Finding | null {
  if (isAnonymous && status < 400) {
    return { kind: 'security', text: `a request without credentials is accepted with status ${status}` }
  }
  if (broken !== null && status < 300) {
    return { kind: 'invalid-accepted', text: `a request ${broken} is accepted with status ${status}` }
  }
  if (broken === null && status === 400 && errorCode.endsWith('_VALIDATION')) {
    return {
      kind: 'valid-refused',
      text: `a request that is as the document says is refused: ${shortened(text)}`,
    }
  }
  return null
}

function undeclared({ operation }: LocatedOperation, status: number): Finding {
  const declared = Object.keys(operation.responses).join(', ')
  return {
    kind: 'undeclared-status',
    text: `status ${status} is not in the document, which has ${declared || 'none'}`,
  }
}

/** Returns the key for a status: the status itself, its class, or `default`. */
function declaredKey(responses: Readonly<Record<string, unknown>>, status: number): string | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`, 'default']
  return keys.find((key) => Object.hasOwn(responses, key))
}

function matches(declared: string, contentType: string): boolean {
  const essence = (text: string): string => (text.split(';', 1)[0] ?? '').trim().toLowerCase()
  const [type = '', subtype = ''] = essence(declared).split('/')
  const [ownType = '', ownSubtype = ''] = essence(contentType).split('/')
  return (type === '*' || type === ownType) && (subtype === '*' || subtype === ownSubtype)
}

/** Returns the values that a payload's schema applies to: one, or the items of a stream; `null` for invalid JSON. */
function valuesIn(contentType: string, text: string): unknown[] | null {
  const items = itemsIn(contentType, text)
  if (items === null && !isJsonType(contentType)) return [text]
  try {
    return (items ?? [text]).map((item): unknown => JSON.parse(item))
  } catch {
    return null
  }
}

/** Returns the texts of the items of a stream; `null` for other media types. */
function itemsIn(contentType: string, text: string): string[] | null {
  if (isLines(contentType)) return text.split('\n').filter((line) => line.trim() !== '')
  if (matches('application/json-seq', contentType)) return text.split('\u001E').slice(1)
  if (!matches('text/event-stream', contentType)) return null
  const events = text.split('\n\n').map((event) => [...event.matchAll(/^data: ?(.*)$/gm)])
  return events.filter((lines) => lines.length > 0).map((lines) => lines.map(([, line]) => line).join('\n'))
}

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
