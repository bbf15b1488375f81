/** Thrown by the compilation of a schema that cannot become a serializer. */
export class SerializerBuildError extends Error {
  override readonly name = 'SerializerBuildError'
  /** The problem of the schema. */
  readonly reason: string

  /** JSON pointer into the schema. */
  readonly pointer: string

  constructor(reason: string, pointer: string) {
    super(pointer === '' ? reason : `${reason} (at ${pointer})`)
    this.reason = reason
    this.pointer = pointer
  }
}
