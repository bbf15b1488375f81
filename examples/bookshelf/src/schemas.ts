// Shared schemas. Routes refer to them by `$id`, in any of these ways:
//
//   #subject                    a subschema of the same schema that has this `$id`
//   #/definitions/line          a place in the same schema
//   book#                       a whole shared schema
//   book#/properties/id         a place in a shared schema
//   common#language             a subschema of a shared schema that has this `$id`

const common = {
  $id: 'common',
  definitions: {
    slug: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 80 },
    language: { $id: '#language', type: 'string', pattern: '^[a-z]{2}$' },
    year: { type: 'integer', minimum: 1400, maximum: 2100 },
  },
} as const

const book = {
  $id: 'book',
  type: 'object',
  required: ['id', 'title', 'author', 'year', 'language', 'subjects'],
  additionalProperties: false,
  properties: {
    id: { $ref: 'common#/definitions/slug' },
    title: { $ref: '#/definitions/line' },
    author: { $ref: '#/definitions/line' },
    year: { $ref: 'common#/definitions/year' },
    language: { $ref: 'common#language' },
    subjects: { type: 'array', minItems: 1, maxItems: 10, items: { $ref: '#subject' } },
  },
  definitions: {
    line: { type: 'string', minLength: 1, maxLength: 200 },
    subject: { $id: '#subject', type: 'string', minLength: 2, maxLength: 40 },
  },
} as const

/** The query of a list of books. */
const bookQuery = {
  $id: 'bookQuery',
  type: 'object',
  properties: {
    search: { type: 'string', minLength: 2, maxLength: 100 },
    author: { $ref: 'book#/properties/author' },
    language: { $ref: 'common#language' },
    subject: { $ref: 'book#subject' },
    from: { $ref: 'common#/definitions/year' },
    to: { $ref: 'common#/definitions/year' },
    sort: { type: 'string', enum: ['title', 'author', 'year'], default: 'title' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    offset: { type: 'integer', minimum: 0, default: 0 },
  },
} as const

/** Any fields of a book but its id, at least one. */
const bookChanges = {
  $id: 'bookChanges',
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    title: { $ref: 'book#/properties/title' },
    author: { $ref: 'book#/properties/author' },
    year: { $ref: 'book#/properties/year' },
    language: { $ref: 'book#/properties/language' },
    subjects: { $ref: 'book#/properties/subjects' },
  },
} as const

const bookPage = {
  $id: 'bookPage',
  type: 'object',
  required: ['total', 'limit', 'offset', 'items'],
  properties: {
    total: { type: 'integer' },
    limit: { type: 'integer' },
    offset: { type: 'integer' },
    items: { type: 'array', items: { $ref: 'book#' } },
  },
} as const

const newReview = {
  $id: 'newReview',
  type: 'object',
  required: ['reader', 'stars'],
  additionalProperties: false,
  properties: {
    reader: { type: 'string', minLength: 1, maxLength: 60 },
    stars: { type: 'integer', minimum: 1, maximum: 5 },
    text: { type: 'string', maxLength: 2000, default: '' },
  },
} as const

const review = {
  $id: 'review',
  type: 'object',
  required: ['id', 'bookId', 'reader', 'stars', 'text', 'writtenAt'],
  properties: {
    id: { type: 'integer' },
    bookId: { $ref: 'book#/properties/id' },
    reader: { $ref: 'newReview#/properties/reader' },
    stars: { $ref: 'newReview#/properties/stars' },
    text: { type: 'string' },
    writtenAt: { type: 'string', format: 'date-time' },
  },
} as const

const counts = {
  $id: 'counts',
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'books'],
    properties: { name: { type: 'string' }, books: { type: 'integer' } },
  },
} as const

const stats = {
  $id: 'stats',
  type: 'object',
  required: ['books', 'authors', 'reviews', 'oldest', 'newest'],
  properties: {
    books: { type: 'integer' },
    authors: { type: 'integer' },
    reviews: { type: 'integer' },
    oldest: { type: 'integer', nullable: true },
    newest: { type: 'integer', nullable: true },
  },
} as const

/** What the response to an error is: problem details (RFC 9457), as the framework makes them. */
const problem = {
  $id: 'problem',
  type: 'object',
  required: ['type', 'title', 'status'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['part', 'pointer', 'keyword', 'message', 'params'],
        properties: {
          part: { type: 'string', enum: ['body', 'params', 'query', 'headers'] },
          pointer: { type: 'string' },
          keyword: { type: 'string' },
          message: { type: 'string' },
          params: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
} as const

/** All shared schemas, by their `$id`. */
export const sharedSchemas = {
  common,
  book,
  bookQuery,
  bookChanges,
  bookPage,
  newReview,
  review,
  counts,
  stats,
  problem,
}

/** The shared schemas as types. */
export type SharedSchemas = typeof sharedSchemas
