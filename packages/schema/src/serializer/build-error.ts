/** A schema that no serializer can be made of; thrown when it is compiled. */
export class SerializerBuildError extends Error {
  override readonly name = 'SerializerBuildError'
  /** What is wrong with the schema. */
  readonly reason: string

  /** JSON pointer of the offending place in the schema. */
  readonly pointer: string

  constructor(reason: string, pointer: string) {
    super(pointer === '' ? reason : `${reason} (at ${pointer})`)
    this.reason = reason
    this.pointer = pointer
  }
}
