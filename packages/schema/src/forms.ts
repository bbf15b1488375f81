import {
  compileSerializer,
  interpretSerializer,
  type SerializerNode,
  type SharedParts,
} from './serializer/index.ts'
import type { Forms } from './tiers.ts'

/*
 * Both forms of a serializer are made of what has been read of its schema. That is not kept, since most functions never
 * get a second form: it is read again when code is generated.
 */

/** The forms of one serializer. */
export function serializerForms(
  read: SerializerNode,
  again: () => SerializerNode,
  parts: SharedParts,
): Forms<string> {
  const next = onceThen(read, again)
  return {
    interpret: () => interpretSerializer(next(), parts, { again }),
    generate: () => compileSerializer(next(), parts, { again }),
  }
}

/** Gives what has been read the first time, and reads it again later. */
function onceThen<Read>(read: Read, again: () => Read | undefined): () => Read {
  let first: Read | undefined = read
  return () => {
    const given = first ?? again()
    first = undefined
    if (given === undefined) throw new TypeError('the schema cannot be read again')
    return given
  }
}
