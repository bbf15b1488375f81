// The types of the client in a project without those of browsers.
import { client } from '@cloister/client'
import type { Events, Failure, Head, RawBody } from '@cloister/client'
import { mutationOptions, queryOptions, ReplyError } from '@cloister/client/query'

interface Api {
  'GET /users/:id': { params: { id: number }; replies: { 200: { name: string }; '5xx': Failure } }
  'HEAD /users/:id': Head<Api['GET /users/:id']>
  'POST /files': { content: { type: 'application/zip'; body: RawBody }; replies: { 204: undefined } }
  'GET /events': { replies: { 200: Events<{ n: number }> } }
}

const api = client<Api>('http://localhost', { headers: () => ({ authorization: 'secret' }) })

export async function use(): Promise<number> {
  const reply = await api('GET /users/:id', { params: { id: 1 }, signal: AbortSignal.timeout(1) })
  if (reply.status === 200) return reply.body.name.length
  const failure: string = reply.body.message
  const { body } = await api('GET /events')
  for await (const { data } of body) return data.n + failure.length
  const head = await api('HEAD /users/:id', { params: { id: 1 } })
  const nothing: undefined = head.body
  await api('POST /files', { type: 'application/zip', body: new Uint8Array(1) })
  // @ts-expect-error no such route
  await api('GET /user')
  // @ts-expect-error the parameter is missing
  await api('GET /users/:id')
  const { queryKey, queryFn } = queryOptions(api, 'GET /users/:id', { params: { id: 1 } })
  const { mutationFn } = mutationOptions(api, 'POST /files')
  const none: null = await mutationFn({ type: 'application/zip', body: new Blob(['x']) })
  const { name } = await queryFn({ signal: AbortSignal.timeout(1) })
  return [queryKey[0], name, nothing, none, ReplyError.name].length
}
