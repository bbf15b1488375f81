import { SchemaScope } from '../../src/document/location.ts'
import type { Accept } from '../../src/validator/decider.ts'
import { compileAcceptor } from '../../src/validator/acceptor-code.ts'
import { readWalkSettings } from '../../src/validator/policy.ts'
import { SchemaValidator, ValidatorTables } from '../../src/validator/schema-validator.ts'

/**
 * The acceptor of a schema as code and as looks.
 * @param isForAjv - Ajv decides about values that it does not accept
 */
export function bothBackEnds(
  schema: object,
  isForAjv: boolean = false,
): readonly [code: readonly [string, Accept], looks: readonly [string, Accept]] {
  const scope = new SchemaScope({ get: () => undefined, ids: () => [] })
  const tables = new ValidatorTables(readWalkSettings(), isForAjv)
  const validator = new SchemaValidator(scope.open(schema), scope, tables)
  return [
    ['code', compileAcceptor(validator.root, new WeakMap()).value],
    ['looks', validator.acceptor()],
  ]
}
