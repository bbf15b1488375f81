import { equal, note, noted, NOTHING } from './equal.ts'
import type { PeerRows } from './equal.ts'
import { COMPRESS } from './compress.ts'
import { COOKIE } from './cookie.ts'
import { CORS } from './cors.ts'
import { helmetRows } from './helmet.ts'
import { RATE_LIMIT } from './rate-limit.ts'

const NO_TOKENS = noted('not needed: there are no tokens')

/** The options of `@fastify/csrf-protection`. */
const CSRF: PeerRows = {
  rows: Object.fromEntries(
    ['cookieKey', 'cookieOpts', 'csrfOpts', 'getToken', 'getUserInfo', 'sessionKey', 'sessionPlugin'].map(
      (name) => [name, NO_TOKENS],
    ),
  ),
  defaults: () =>
    equal(
      { csrf: 'true' },
      'it decides by Sec-Fetch-Site and Origin; keep the plugin if browsers from before 2023, or plain HTTP, count',
    ),
}

/** The options of `@fastify/etag`. */
const ETAG: PeerRows = {
  rows: {
    algorithm: noted('not needed: a tag is a digest of the content'),
    hashFn: noted('no equal: reply.version(tag) sets the tag of a response'),
    weak: ({ literal }) => {
      if (literal === null) return note("conditional: 'weak' or true")
      return literal.value === true ? equal({ conditional: "'weak'" }) : NOTHING
    },
    replyWith304: ({ literal }) =>
      literal?.value === true
        ? NOTHING
        : note('no equal: a GET with the tag that the client has is a 304; conditional: false sends no tags'),
  },
  defaults: ({ weak }) =>
    weak === undefined || weak.literal?.value === false ? equal({ conditional: 'true' }) : NOTHING,
}

/**
 * The plugins that `@cloister/web` replaces, by their names.
 *
 * @param folder - of the project, for what is installed there
 */
export function peersOf(folder: string): Readonly<Record<string, PeerRows>> {
  return {
    '@fastify/cors': CORS,
    '@fastify/helmet': helmetRows(folder),
    '@fastify/cookie': COOKIE,
    '@fastify/csrf-protection': CSRF,
    '@fastify/etag': ETAG,
    '@fastify/compress': COMPRESS,
    '@fastify/rate-limit': RATE_LIMIT,
  }
}

/** The names that the plugins had before. */
export const OLD_NAMES: Readonly<Record<string, string>> = {
  'fastify-cors': '@fastify/cors',
  'fastify-helmet': '@fastify/helmet',
  'fastify-cookie': '@fastify/cookie',
  'fastify-csrf': '@fastify/csrf-protection',
  'fastify-etag': '@fastify/etag',
  'fastify-compress': '@fastify/compress',
  'fastify-rate-limit': '@fastify/rate-limit',
}
