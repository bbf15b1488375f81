/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import type { IncomingMessage, ServerResponse } from 'node:http'

import { app, is, it } from './support.ts'

/** An app as Express and Connect have them. */
interface NodeApp {
  (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void
  use(): NodeApp
}

it('mounts handlers of the web platform, and objects with one', () => {
  app.mount('/a', (request) => {
    is<Request>()(request)
    return new Response(request.url)
  })
  app.mount('/b', async (request: Request) => Response.json(await request.json()))
  app.mount('/c', { fetch: (request: Request) => new Response(request.url) }, { stripPrefix: true })
})

it('mounts listeners of Node, and apps of Express', () => {
  app.mount('/a', (request: IncomingMessage, response: ServerResponse) => {
    response.end(request.url)
  })
  const express: NodeApp = Object.assign(() => {}, { use: () => express })
  app.mount('/b', express, { stripPrefix: true, kind: 'node' })
})

it('refuses what is no handler, and options that it does not have', () => {
  // @ts-expect-error -- a text is no response
  app.mount('/a', { fetch: () => 'text' })
  // @ts-expect-error -- no function and no object with one
  app.mount('/b', 'handler')
  // @ts-expect-error -- the name is 'stripPrefix'
  app.mount('/c', () => new Response(), { strip: true })
  // @ts-expect-error -- 'fetch' or 'node'
  app.mount('/d', () => new Response(), { kind: 'express' })
})

it('returns the instance with its types', () => {
  is<typeof app>()(app.mount('/a', () => new Response()))
})
