import {
  compileSerializer,
  interpretSerializer,
  type SerializerNode,
  type SharedParts,
} from './serializer/index.ts'
import type { Forms } from './tiers.ts'
import { compileAcceptor, type SharedChecks } from './validator/acceptor/emit/unit.ts'
import { interpretAcceptor } from './validator/acceptor/interpret/acceptor.ts'
import { createSharedClosures, type SharedClosures } from './validator/acceptor/interpret/check.ts'
import type { Definition } from './validator/acceptor/ir.ts'

/*
 * Both forms of a function are made of what has been read of its schema. That is not kept, since most functions never
 * get a second form: it is read again when code is generated.
 */

/** What the acceptors of an engine share. */
export class AcceptorForms {
  readonly #checks: SharedChecks = new WeakMap()
  readonly #closures: SharedClosures = createSharedClosures()

  /** The forms of one acceptor. */
  of(read: Definition, again: () => Definition | undefined): Forms<boolean> {
    const next = onceThen(read, again)
    return {
      interpret: () => interpretAcceptor(next(), this.#closures),
      generate: () => compileAcceptor(next(), this.#checks).value,
    }
  }
}

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
