import { isObject, objectOf } from '../diff/json.ts'
import type { DrawnRoute, SentRequest } from './exchange.ts'
import { Samples } from './sample-values.ts'
import type { FindSchema, Sample } from './sample-values.ts'

/** A drawn request, with its route and what is odd about it. */
export interface DrawnRequest extends SentRequest {
  readonly route: DrawnRoute
  readonly odd: string
}

const MAX_ODD = 12
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])
const JSON_TYPE = { 'content-type': 'application/json' }

/** Headers with which a client states its identity and its target; frameworks differ in which of them they trust. */
const HEADERS: readonly Sample[] = [
  { odd: 'a host with a port', value: { host: 'example.test:8080' } },
  { odd: 'a forwarded host', value: { 'x-forwarded-host': 'other.test', 'x-forwarded-for': '203.0.113.9' } },
  { odd: 'a request id', value: { 'request-id': 'of-the-client' } },
]

/**
 * Draws requests for the routes of an app from their schemas: for each route a valid one, those with one invalid
 * value, and those with odd headers. The same routes give the same requests.
 *
 * @param methods - the methods that may be sent; others change the data of the app
 */
export function drawRequests(
  routes: readonly DrawnRoute[],
  methods: ReadonlySet<string>,
  find: FindSchema,
): DrawnRequest[] {
  const drawn = routes
    .filter(({ method }) => methods.has(method))
    .flatMap((route) => ofRoute(route, new Samples(find)))
  const [first] = routes
  return first === undefined || !methods.has('GET') ? drawn : [...drawn, ...ofApp(first)]
}

/** Returns requests without a route: they show how the app rejects requests. */
function ofApp(route: DrawnRoute): DrawnRequest[] {
  const urls = {
    'no route': '/no-such-route',
    'a broken escape': '/%zz',
    'no route, twice a slash': '//no//route',
  }
  return Object.entries(urls).map(([odd, url]) => ({
    route: { ...route, method: 'GET', url: '*' },
    odd,
    method: 'GET',
    url,
    headers: {},
    body: null,
  }))
}

function ofRoute(route: DrawnRoute, samples: Samples): DrawnRequest[] {
  const { method, schema } = route
  const query = fullForm(schema['querystring'] ?? schema['query'])
  const params = fullForm(schema['params'])
  const valid: Parts = {
    params: objectOf(samples.valid(params ?? {})),
    query: isJsonSchema(query) ? objectOf(samples.valid(query)) : {},
    headers: isJsonSchema(schema['headers']) ? textsOf(objectOf(samples.valid(schema['headers']))) : {},
    body: WITH_BODY.has(method)
      ? JSON.stringify(isJsonSchema(schema['body']) ? samples.valid(schema['body']) : {})
      : null,
  }
  const odd = (part: unknown): Sample[] => (isJsonSchema(part) ? samples.odd(part).slice(0, MAX_ODD) : [])
  const write = (what: string, changed: Partial<Parts>): DrawnRequest =>
    writeRequest(route, what, { ...valid, ...changed })
  // A GET route rejects the same as its HEAD route.
  if (method === 'HEAD') return [write('', {})]
  return [
    write('', {}),
    ...odd(query).map(({ odd: what, value }) => write(`query, ${what}`, { query: objectOf(value) })),
    ...odd(params).map(({ odd: what, value }) => write(`params, ${what}`, { params: objectOf(value) })),
    ...odd(schema['headers']).map(({ odd: what, value }) =>
      write(`headers, ${what}`, { headers: textsOf(objectOf(value)) }),
    ),
    ...HEADERS.map(({ odd: what, value }) =>
      write(what, { headers: { ...valid.headers, ...textsOf(objectOf(value)) } }),
    ),
    ...(valid.body === null
      ? []
      : [
          ...odd(schema['body']).map(({ odd: what, value }) =>
            write(`body, ${what}`, { body: JSON.stringify(value) }),
          ),
          write('malformed JSON', { body: '{"a":' }),
          write('no body', { body: null }),
        ]),
  ]
}

interface Parts {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Expands the short form of a schema, which only lists the properties. */
function fullForm(part: unknown): unknown {
  const isShort =
    isObject(part) &&
    ['type', 'properties', '$ref', 'anyOf', 'oneOf', 'allOf'].every(
      (name) => !(name in part) || isObject(part[name]),
    ) &&
    !isObject(part['properties']) &&
    Object.values(part).every(isObject)
  return isShort ? { type: 'object', properties: part } : part
}

/** Schemas of other libraries are not read. */
function isJsonSchema(value: unknown): boolean {
  return isObject(value) && !('~standard' in value) && typeof Reflect.get(value, 'safeParse') !== 'function'
}

function textsOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
}

function writeRequest(route: DrawnRoute, odd: string, { params, query, headers, body }: Parts): DrawnRequest {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  const search = new URLSearchParams(pairs).toString()
  return {
    route,
    odd,
    method: route.method,
    url: writePath(route.url, params) + (search === '' ? '' : `?${search}`),
    headers: { ...(body === null ? {} : JSON_TYPE), ...headers },
    body,
  }
}

/** Writes a path with values for its parameters: `/a/:id(^\\d+$)?/*`. */
function writePath(pattern: string, params: Readonly<Record<string, unknown>>): string {
  return pattern
    .replaceAll('::', '\0')
    .replaceAll(
      /:([^/:()*.?-]+)(\((?:[^()]|\([^()]*\))*\))?\??/g,
      (_whole, name: string, expression?: string) => {
        const value = params[name] ?? (expression === undefined ? '1' : fitting(expression))
        return encodeURIComponent(String(value))
      },
    )
    .replaceAll('*', 'a/b')
    .replaceAll('\0', ':')
}

/** Returns a short text that a constraint of a path accepts. */
function fitting(expression: string): string {
  try {
    const constraint = new RegExp(expression)
    return ['1', 'a', 'abc', '2020', 'a1', '12345', 'a.png'].find((text) => constraint.test(text)) ?? '1'
  } catch {
    return '1'
  }
}
