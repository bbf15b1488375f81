/**
 * What services in production have: the routes behind hooks, a logger and published plugins, and bare the requests
 * that are refused, fail, stream and upload.
 */
import { appKinds } from './app-kinds.ts'
import { listWorkloads } from './lists.ts'
import * as work from './workload.ts'
import type { Workload } from './workload.ts'

const [getUser, postOrder] = work.workloads
const [list] = listWorkloads.filter(({ name }) => name === '100 small objects, response schema')

const headersOfPlugins = [
  '\r\naccess-control-allow-origin: https://example.org',
  '\r\nstrict-transport-security: ',
  '\r\ncontent-security-policy: ',
]

/** Three usual routes in every kind of application that has more than routes. */
const usual: readonly Workload[] = appKinds
  .filter((kind) => !['bare', 'tls', 'uploads', 'service'].includes(kind))
  .flatMap((kind) =>
    [getUser, postOrder, list].flatMap((workload): Workload[] => {
      if (workload === undefined) return []
      const { name, path, headers, expected } = workload
      const hasPlugins = kind === 'plugins' || kind === 'everything'
      const demands = hasPlugins ? headersOfPlugins : []
      const cookies = { origin: 'https://example.org', cookie: 'session=0123456789abcdef; theme=dark' }
      return [
        {
          ...workload,
          app: kind,
          name: `${kind}: ${path === '/lists/small/schema' ? 'list' : name}`,
          headers: hasPlugins ? { ...headers, ...cookies } : headers,
          expected: { ...expected, demands },
        },
      ]
    }),
  )

const failure = (statusCode: number, error: string, message: string, code?: string): string =>
  JSON.stringify({ statusCode, ...(code === undefined ? {} : { code }), error, message })

const document = JSON.stringify({
  items: Array.from({ length: 1000 }, (_, id) => ({
    id,
    name: `item ${id}`,
    note: 'a hundred kilobytes of JSON in all, as an import has it',
    tags: ['a', 'b'],
  })),
})

const boundary = 'benchmark-boundary'
const upload =
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n` +
  `content-type: ${work.BYTES_TYPE}\r\n\r\n${'x'.repeat(65_536)}\r\n--${boundary}--\r\n`

const content = work.bytes.toString('latin1')

/** What is asked of the application that has routes and nothing else. */
const bare: readonly Workload[] = [
  {
    name: 'refused body',
    method: 'POST',
    path: '/orders',
    body: JSON.stringify({ sku: 'BK-1843', quantity: 0 }),
    expected: {
      status: 400,
      body: failure(400, 'Bad Request', 'body/quantity must be >= 1', 'FST_ERR_VALIDATION'),
    },
  },
  {
    name: 'POST of 300 bytes',
    method: 'POST',
    path: '/orders',
    body: JSON.stringify(work.longOrder),
    expected: { status: 201, body: JSON.stringify(work.acceptOrder(work.longOrder)) },
  },
  {
    name: 'stream of 16 KB',
    method: 'GET',
    path: '/stream',
    expected: { status: 200, type: work.BYTES_TYPE, chunked: true, body: content },
  },
  {
    name: 'buffer of 16 KB',
    method: 'GET',
    path: '/bytes',
    expected: { status: 200, type: work.BYTES_TYPE, body: content },
  },
  {
    name: 'upload of 64 KB',
    app: 'uploads',
    method: 'POST',
    path: '/uploads',
    type: `multipart/form-data; boundary=${boundary}`,
    body: upload,
    expected: { status: 200, body: JSON.stringify({ bytes: 65_536 }) },
  },
  {
    name: 'JSON body of 100 KB',
    method: 'POST',
    path: '/documents',
    body: document,
    expected: { status: 200, body: JSON.stringify({ items: 1000 }) },
  },
  {
    name: 'query with an array',
    method: 'GET',
    path: '/search?tag=a&tag=b&tag=c&limit=20',
    expected: { status: 200, body: JSON.stringify({ tag: ['a', 'b', 'c'], limit: 20 }) },
  },
  {
    name: 'no route',
    method: 'GET',
    path: '/nowhere',
    expected: {
      status: 404,
      body: JSON.stringify({
        message: 'Route GET:/nowhere not found',
        error: 'Not Found',
        statusCode: 404,
      }),
    },
  },
  {
    name: 'thrown error',
    method: 'GET',
    path: '/broken',
    expected: { status: 500, body: failure(500, 'Internal Server Error', 'no connection') },
  },
]

/** The workloads of applications in production, in the order they are run and printed. */
export const productionWorkloads: readonly Workload[] = [...work.workloads, ...bare, ...usual]

/** A GET and a POST to a service in production: plugins, hooks, logger and spans. */
export const serviceWorkloads: readonly Workload[] = usual
  .filter(({ app, path }) => app === 'everything' && path !== '/lists/small/schema')
  .map((workload) => ({ ...workload, app: 'service', name: workload.name.replace('everything', 'service') }))
