/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

// Forms by schema: fields as in a query, files by `format: 'binary'`.
import { cloister } from 'cloister'
import type { FormFile, FormFiles } from 'cloister'
import { z } from 'zod'
import { is } from './support.ts'

const file = { type: 'string', format: 'binary' } as const
const form = {
  type: 'object',
  required: ['title', 'video', 'photos'],
  properties: {
    title: { type: 'string' },
    year: { type: 'integer' },
    video: file,
    photos: { type: 'array', items: file },
    tags: { type: 'array', items: { type: 'string' } },
  },
} as const

const app = cloister().addSchema({ $id: 'f', ...file } as const)

app.post(
  '/',
  { schema: { body: { content: { 'multipart/form-data': { schema: form } } } } },
  async ({ body }) => {
    is<string>()(body.title)
    is<number | undefined>()(body.year)
    is<FormFile>()(body.video)
    is<FormFiles>()(body.photos)
    is<string[] | undefined>()(body.tags)
    for await (const photo of body.photos) is<FormFile>()(photo)
    // @ts-expect-error -- it may stream, so that its size is not known
    return body.video.size
  },
)

const shared = { a: { $ref: 'f#' } } as const
app.post(
  '/ref',
  { schema: { body: { content: { 'multipart/form-data': { schema: shared } } } } },
  ({ body }) => {
    is<FormFile | undefined>()(body.a)
  },
)

const content = { 'application/json': { schema: form }, 'multipart/form-data': { schema: form } } as const
app.post('/both', { schema: { body: { content } } }, ({ body }) => {
  is<string | FormFile>()(body.video)
})

app.post('/json', { schema: { body: form } }, ({ body }) => {
  is<string>()(body.video)
})

const library = z.object({ a: z.file(), n: z.number() })
app.post(
  '/zod',
  { schema: { body: { content: { 'multipart/form-data': { schema: library } } } } },
  ({ body }) => {
    is<File>()(body.a)
    is<number>()(body.n)
  },
)
