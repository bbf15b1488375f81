// Parts of route schemas that several routes have in common.

/** The path has the id of a book. */
export const byBookId = {
  type: 'object',
  required: ['id'],
  properties: { id: { $ref: 'book#/properties/id' } },
} as const

const problem = { content: { 'application/problem+json': { schema: { $ref: 'problem#' } } } } as const

/** The response is an error as problem details: a class of statuses, and all others. */
export const problems = { '4xx': problem, default: problem } as const
