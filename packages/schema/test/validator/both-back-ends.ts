import { SchemaScope } from '../../src/document/location.ts'
import type { Accept } from '../../src/validator/accept.ts'
import { compileAcceptor } from '../../src/validator/acceptor/emit/unit.ts'
import { createSharedClosures } from '../../src/validator/acceptor/interpret/check.ts'
import { interpretAcceptor } from '../../src/validator/acceptor/interpret/acceptor.ts'
import { readAcceptor } from '../../src/validator/acceptor/read/reader.ts'
import { readPolicy } from '../../src/validator/policy.ts'

/** The acceptor of a schema as code and as closures. */
export function bothBackEnds(
  schema: object,
): readonly [code: readonly [string, Accept], closures: readonly [string, Accept]] {
  const { acceptor: policy } = readPolicy()
  const scope = new SchemaScope({ get: () => undefined, ids: () => [] })
  const read = policy && readAcceptor(scope.open(schema), scope, policy)
  if (read === undefined) throw new Error('the schema has an acceptor')
  return [
    ['code', compileAcceptor(read, new WeakMap()).value],
    ['closures', interpretAcceptor(read, createSharedClosures())],
  ]
}
