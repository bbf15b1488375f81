import { isRecord, mapValues } from '../guards.ts'
import type { SecurityRequirement, SecurityScheme, SecuritySchemes } from '../types.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Writes the security of an operation. AsyncAPI has a list of schemes of which one is enough; a choice that demands
 * several at once, or none, stays in the form of OpenAPI.
 */
export function securityOf(
  requirements: readonly SecurityRequirement[] = [],
  schemes: SecuritySchemes,
): Fields {
  const choices = requirements.map((one) => Object.entries(one))
  if (choices.length === 0) return {}
  if (choices.some(({ length }) => length !== 1)) return { 'x-security': requirements }
  const security = choices.flat().map(([name, scopes]) => {
    const scheme = schemes[name]
    return scheme?.type === 'oauth2' || scheme?.type === 'openIdConnect'
      ? { ...schemeOf(scheme), scopes }
      : { $ref: `#/components/securitySchemes/${name}` }
  })
  return { security }
}

/** Writes a security scheme of OpenAPI as one of AsyncAPI. */
export function schemeOf({ type, ...fields }: SecurityScheme): Fields {
  if (type === 'apiKey') return { type: 'httpApiKey', ...fields }
  if (type === 'mutualTLS') return { type: 'X509', ...fields }
  if (type !== 'oauth2') return { type, ...fields }
  const flows = isRecord(fields['flows']) ? fields['flows'] : {}
  return { type, ...fields, flows: mapValues(flows, flowOf) }
}

function flowOf(flow: unknown): Fields {
  const { scopes = {}, ...rest } = isRecord(flow) ? flow : {}
  return { ...rest, availableScopes: scopes }
}
