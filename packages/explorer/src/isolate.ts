import type { FastifyReply } from 'cloister'

/** Fields with which a plugin opens responses to pages of other origins. */
const OPENING = /^(?:access-control-.+|timing-allow-origin)$/

/**
 * The last `onSend` hook of each route of the page. No other origin may read its data, embed it or cache it,
 * whatever hooks of the app have set on the response or its raw object.
 */
export async function isolate(_request: unknown, reply: FastifyReply): Promise<void> {
  for (const name of Object.keys(reply.getHeaders())) {
    if (!OPENING.test(name)) continue
    reply.removeHeader(name)
    if (reply.hasHeader(name)) reply.raw.removeHeader(name)
  }
  reply.header('cross-origin-resource-policy', 'same-origin').header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
}
