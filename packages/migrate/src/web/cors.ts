import { isFunctionNode, isNode } from '@cloister/cli/internal'
import { equal, joined, listText, note, noted, NOTHING, same } from './equal.ts'
import type { Equal, Given, PeerRows, Row } from './equal.ts'

const FUNCTION =
  "write it as cors: { origin: (origin, request) => boolean }, which may be async; with csrf, list origins that send changes in csrf: { trust: ['https://…'] }"
const UNREADABLE = 'its value is not in this file: texts and expressions belong into origins: [ … ]'
const NO_CREDENTIALS =
  'browsers refuse * with credentials, and all origins with credentials are a hole: list the origins'

const list =
  (option: string): Row =>
  (given) => {
    const text = listText(given)
    return text === null ? note(`${option}: a list of names; write it by hand`) : equal({ [option]: text })
  }

/** The options of `@fastify/cors`. */
export const CORS: PeerRows = {
  rows: {
    origin: (given, { credentials }) => originOf(given, credentials),
    credentials: ({ text, literal }) =>
      literal?.value === false ? NOTHING : equal({ 'cors.credentials': text }),
    exposedHeaders: list('cors.expose'),
    allowedHeaders: list('cors.headers'),
    methods: list('cors.methods'),
    maxAge: same('cors.maxAge'),
    preflight: noted('not needed: a preflight to a path with routes always gets a response'),
    preflightContinue: noted('not needed: a route for OPTIONS of your own wins'),
    strictPreflight: noted(
      'not needed: OPTIONS without Origin and Access-Control-Request-Method is no preflight',
    ),
    optionsSuccessStatus: noted('not needed: a preflight is a 204, which all browsers take'),
    cacheControl: noted('no equal: browsers keep a preflight by maxAge, and shared caches none'),
    hideOptionsRoute: noted('not needed: there is no route'),
    hook: noted('not needed: onRequest, before the hooks of the app'),
    delegator: noted(`write it per route as web: { cors: { … } }, or ${FUNCTION}`),
  },
  defaults: (given) =>
    joined(
      given['origin'] === undefined && given['delegator'] === undefined
        ? everyOrigin(given['credentials'])
        : NOTHING,
      given['methods'] === undefined
        ? note(
            "methods: 'GET,HEAD,POST' before, now those that the path has; cors: { methods: ['GET', 'HEAD', 'POST'] } keeps them",
          )
        : NOTHING,
    ),
}

function everyOrigin(credentials: Given | undefined): Equal {
  const isPublic = credentials === undefined || credentials.literal?.value === false
  return isPublic ? equal({ 'cors.origin': "'*'" }) : note(`origin: ${NO_CREDENTIALS}`)
}

function originOf(given: Given, credentials: Given | undefined): Equal {
  const { node, text, literal } = given
  if (isFunctionNode(node)) return note(FUNCTION)
  if (literal?.value === false) return equal({ cors: 'false' })
  if (literal?.value === true || literal?.value === '*') return everyOrigin(credentials)
  if (isNode(node, 'ArrayExpression')) return listed(given)
  if (literal === null) return note(UNREADABLE)
  const problem = problemOf(literal.value)
  return problem === null ? equal({ origins: `[${text}]` }) : note(`${text} ${problem}`)
}

function listed({ text, literal }: Given): Equal {
  if (literal === null || !Array.isArray(literal.value))
    return equal({ origins: text }, 'each must be an origin as a text, or an expression from ^ to $')
  const problems = literal.value
    .map((one) => [one, problemOf(one)] as const)
    .filter(([, problem]) => problem !== null)
  return problems.length === 0
    ? equal({ origins: text })
    : note(problems.map(([one, problem]) => `${String(one)} ${String(problem)}`).join('; '))
}

/** Says why `origins` does not take a value; `null` if it does. */
function problemOf(origin: unknown): string | null {
  if (origin instanceof RegExp)
    return origin.source.startsWith('^') && origin.source.endsWith('$')
      ? null
      : 'also matches other hosts, and is refused: let it begin with ^ and end with $'
  if (typeof origin !== 'string') return 'is no origin'
  if (origin === 'null') return null
  if (origin === '*') return "beside other origins has no equal: cors: { origin: '*' } alone"
  return URL.canParse(origin) && origin === originText(new URL(origin))
    ? null
    : "is not what browsers send, so it never matched: write it as 'https://shop.example', without a path"
}

const originText = ({ origin, protocol, host }: URL): string =>
  origin === 'null' ? `${protocol}//${host}` : origin
