import { createDocument } from '../document/create-document.ts'
import type { DocumentedApp } from '../document/create-document.ts'
import { defined, isRecord, mapValues } from '../guards.ts'
import type { DocumentOptions } from '../options.ts'
import type { AsyncApiDocument, InfoObject } from '../types.ts'
import { Channels } from './channels.ts'
import { inDraft07 } from './draft-07.ts'
import { schemeOf } from './security.ts'

/**
 * Creates the AsyncAPI 3.0 document of an app: what it sends to clients and receives from them as messages, in WebSockets,
 * streams of items, and requests that publish to topics. All else is in its OpenAPI document. An app without messages
 * has a document without channels.
 *
 * @param app - an app that is ready
 * @param options - override those of the registered plugin; `version`, `frameworkResponses` and `responseHeaders` mean
 * nothing here
 * @throws as {@link openApiDocument}
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { asyncApiDocument } from '@cloister/openapi'
 *
 * const app = cloister()
 * const response = { 200: { content: { 'application/x-ndjson': { schema: { type: 'integer' } } } } } as const
 * app.get('/numbers', { schema: { response } }, async function* () {
 *   yield 1
 * })
 * await app.ready()
 * const { channels } = asyncApiDocument(app, { info: { title: 'Numbers', version: '1.0.0' } })
 * console.log(Object.keys(channels)) // [ 'numbers' ]
 * ```
 */
export function asyncApiDocument(app: DocumentedApp, options?: DocumentOptions): AsyncApiDocument {
  const { document, operations: documented } = createDocument(app, options)
  const collected = new Channels(document)
  for (const one of documented) collected.add(one)
  const { servers, channels, operations, messages } = collected
  const { schemas = {}, securitySchemes = {} } = document.components ?? {}
  const components = nonEmpty({
    schemas: reached('schemas', mapValues(schemas, inDraft07), [channels, operations, messages]),
    messages,
    securitySchemes: reached('securitySchemes', mapValues(securitySchemes, schemeOf), operations),
  })
  return {
    asyncapi: '3.0.0',
    info: infoOf(document.info),
    defaultContentType: 'application/json',
    ...nonEmpty({ servers }),
    channels,
    operations,
    ...nonEmpty({ components }),
  }
}

/** Returns the fields of `info` that both specifications have. */
function infoOf({ title, version, description, ...more }: InfoObject): InfoObject {
  const { termsOfService, contact, license } = more
  const named = isRecord(license) ? defined({ name: license['name'], url: license['url'] }) : undefined
  return { title, version, ...defined({ description, termsOfService, contact, license: named }) }
}

function nonEmpty<T extends object>(parts: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0))
}

/** Returns the components of a kind that parts of the document refer to, and those that these refer to. */
function reached(
  kind: string,
  components: Readonly<Record<string, unknown>>,
  from: unknown,
): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (let text = JSON.stringify(from); text !== '{}';) {
    const isNew = ([name]: [string, unknown]): boolean =>
      !(name in found) && text.includes(`{"$ref":"#/components/${kind}/${name}"}`)
    const added = Object.fromEntries(Object.entries(components).filter(isNew))
    Object.assign(found, added)
    text = JSON.stringify(added)
  }
  return found
}
