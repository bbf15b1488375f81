import { look } from '../../foreign.ts'
import { isWanted } from '../../errors.ts'

/** Members of replies and requests elsewhere, or of plugins, and what takes their place. */
const REMEDIES: Readonly<Record<string, string>> = {
  json: 'reply.send(value) sends an object as JSON, and request.body is the parsed body',
  text: 'request.body is the body',
  formData: 'declare multipart/form-data in schema.body; request.body is the form then',
  set: 'reply.header(name, value) sets a header',
  get: "request.headers has the headers, such as request.headers['user-agent']",
  header: "request.headers has the headers, such as request.headers['user-agent']",
  cookie: 'register @cloister/web or @fastify/cookie before, and write reply.setCookie(name, value)',
  end: 'reply.send(value) ends the response',
  sendStatus: 'reply.code(204).send() sends a status alone',
  setCookie: 'register @cloister/web or @fastify/cookie before',
  file: 'declare multipart/form-data in schema.body, or register @fastify/multipart before',
  sendFile: 'register @fastify/static before',
  view: 'register @fastify/view before',
  render: 'register @fastify/view before, and write reply.view(name)',
  jwtVerify: 'register @fastify/jwt before',
}
const NEXT = 'a handler gets no next: return the payload, and write what runs before it as a hook'
const DETACHED =
  'A member of a request or reply was called without its object: write reply.send(value), and not const { send } = reply.'
const OF_NOTHING = /undefined \(reading 'Symbol\(cloister\.\w+\)'\)$/
const NO_FUNCTION = /(?:^|\.)(\w+) is not a function$/

/**
 * In development, adds `help` to the TypeError of a call that other frameworks have: `res.json()`, `next()`. Only
 * requests that fail come here.
 */
export function adviseHabit(error: unknown): void {
  if (!(error instanceof TypeError) || !Object.isExtensible(error) || !isWanted()) return
  const message = String(look(error, 'message'))
  const [, name = ''] = NO_FUNCTION.exec(message) ?? []
  const remedy = Object.hasOwn(REMEDIES, name)
    ? `If this is a request or reply: ${REMEDIES[name]}.`
    : undefined
  const other = OF_NOTHING.test(message) ? DETACHED : remedy
  const help = message === 'next is not a function' ? `If this is a parameter of a handler: ${NEXT}.` : other
  if (help !== undefined)
    Object.defineProperty(error, 'help', { value: help, enumerable: true, configurable: true })
}
