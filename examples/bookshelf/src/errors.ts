/** Something was asked for that is not there. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError'
  readonly code = 'BOOKSHELF_NOT_FOUND'
  readonly statusCode = 404
}

/** Something cannot be done because of what is there already. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
  readonly code = 'BOOKSHELF_CONFLICT'
  readonly statusCode = 409
}

/** There is no book of this id. */
export function noSuchBook(id: string): NotFoundError {
  return new NotFoundError(`there is no book '${id}'`)
}
