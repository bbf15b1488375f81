import { createConfig, lintFromString } from '@redocly/openapi-core'
import { validate } from '@scalar/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'

const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'path-parameters-defined': 'error',
  'no-identical-paths': 'error',
  'no-ambiguous-paths': 'off',
  'operation-operationId-unique': 'error',
  'operation-operationId-url-safe': 'error',
  'path-declaration-must-exist': 'error',
  'path-not-include-query': 'error',
  'operation-parameters-unique': 'error',
  'no-unused-components': 'error',
  'security-defined': 'off',
} as const

/** The errors that three validators of others find in a document. */
export async function errorsOf(document: object): Promise<string[]> {
  const text = JSON.stringify(document)
  const own = await new Validator().validate(JSON.parse(text))
  const scalar = await validate(text)
  const redocly = await lintFromString({
    source: text,
    absoluteRef: 'openapi.json',
    config: await createConfig({ rules: RULES }),
  })
  return [
    ...(own.valid
      ? []
      : [own.errors ?? 'invalid'].flat().map((error) => `seriousme: ${JSON.stringify(error)}`)),
    ...(scalar.errors ?? []).map((error) => `scalar: ${JSON.stringify(error)}`),
    ...redocly
      .filter(({ severity }) => severity === 'error')
      .map(({ ruleId, message, location }) => `redocly: ${ruleId} ${message} ${location[0]?.pointer ?? ''}`),
  ]
}
