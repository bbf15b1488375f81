// AWS Lambda behind a function URL or an HTTP API (payload format 2.0).
import { toFetch } from 'cloister/fetch'
import { createApp } from './app.ts'

/** The part of an event that makes a request. */
export interface HttpEvent {
  readonly rawPath: string
  readonly rawQueryString: string
  readonly cookies?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly isBase64Encoded: boolean
  readonly requestContext: { readonly http: { readonly method: string; readonly sourceIp: string } }
}

/** What Lambda makes a response of. */
export interface HttpResult {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly cookies: string[]
  readonly body: string
  readonly isBase64Encoded: boolean
}

const respond = toFetch(createApp(), (_request, event: HttpEvent) => ({
  clientAddress: event.requestContext.http.sourceIp,
}))

export async function handler(event: HttpEvent): Promise<HttpResult> {
  const response = await respond(toRequest(event), event)
  const body = Buffer.from(await response.arrayBuffer())
  return {
    statusCode: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie')),
    cookies: response.headers.getSetCookie(),
    body: body.toString('base64'),
    isBase64Encoded: true,
  }
}

function toRequest({ rawPath, rawQueryString, cookies, headers, body, ...event }: HttpEvent): Request {
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  const sent = new Headers(headers)
  if (cookies !== undefined) sent.set('cookie', cookies.join('; '))
  return new Request(`https://${headers['host'] ?? 'localhost'}${rawPath}${query}`, {
    method: event.requestContext.http.method,
    headers: sent,
    body: body === undefined ? null : Buffer.from(body, event.isBase64Encoded ? 'base64' : 'utf8'),
  })
}
