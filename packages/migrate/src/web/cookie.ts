import { isNode } from '@cloister/cli/internal'
import { equal, joined, note, noted, NOTHING } from './equal.ts'
import type { Equal, Given, PeerRows } from './equal.ts'
import { literalOf, propertiesOf } from './literal.ts'

const MIN_KEY_LENGTH = 32
const OLD_SIGNATURES =
  'cookies: { accept: { fastify: new Date(…) } } reads the signatures that browsers have, until that date'

/** The options of `@fastify/cookie`. */
export const COOKIE: PeerRows = {
  rows: {
    secret: keysOf,
    algorithm: ({ literal }) =>
      literal?.value === 'sha256'
        ? NOTHING
        : note('no equal: signatures are HMAC-SHA-256; cookies with others are absent'),
    hook: noted('not needed: the cookies that a route declares in schema.cookies are read before validation'),
    parseOptions: defaultsOf,
  },
  defaults: () =>
    note(
      'cookies get Secure, HttpOnly, SameSite=Lax and Path=/ unless a call or cookies.defaults says otherwise; request.cookies has what schema.cookies of the route declares',
    ),
}

function keysOf({ node, text, literal }: Given): Equal {
  if (literal !== null) {
    const keys = [literal.value].flat()
    if (!keys.every((key) => typeof key === 'string')) return note('no equal: keys are texts or bytes')
    const short = keys.some((key) => key.length < MIN_KEY_LENGTH)
      ? `keys have at least ${MIN_KEY_LENGTH} characters; `
      : ''
    return equal(
      { 'cookies.keys': Array.isArray(literal.value) ? text : `[${text}]` },
      short + OLD_SIGNATURES,
    )
  }
  if (isNode(node, 'ObjectExpression', 'NewExpression'))
    return note('no equal: a signer of your own; give its keys to cookies.keys')
  const isList = isNode(node, 'ArrayExpression')
  const isOne = /^process\.env\b/.test(text) || isNode(node, 'TemplateLiteral')
  return equal({ 'cookies.keys': isList ? text : isOne ? `[${text}]` : `[${text}].flat()` }, OLD_SIGNATURES)
}

const KEPT = ['domain', 'expires', 'httpOnly', 'maxAge', 'partitioned', 'path', 'signed']
const PLACE = 'cookies.defaults'

function defaultsOf({ node, text }: Given): Equal {
  if (!isNode(node, 'ObjectExpression'))
    return note(`its value is not in this file: attributes belong into ${PLACE}`)
  const textOf = (value: { readonly start: number; readonly end?: unknown }): string =>
    text.slice(value.start - node.start, Number(value.end) - node.start)
  return joined(
    ...propertiesOf(node).map(({ name, value }) => {
      if (name === null) return note(`parseOptions: ${textOf(value)} can't be read`)
      const option = `${PLACE}.${name}`
      if (KEPT.includes(name)) return equal({ [option]: textOf(value) })
      const literal = literalOf(value)
      if (name === 'secure')
        return literal?.value === 'auto' ? SECURE_AUTO : equal({ [option]: textOf(value) })
      if (name !== 'sameSite') return note(`parseOptions.${name} has no equal`)
      if (literal?.value === true) return equal({ [option]: "'strict'" })
      return literal?.value === false
        ? note("parseOptions.sameSite: false has no equal: browsers take 'lax'")
        : equal({ [option]: textOf(value) })
    }),
  )
}

const SECURE_AUTO = note(
  "parseOptions.secure: 'auto' has no equal: cookies are Secure, which browsers take from http://localhost too",
)
