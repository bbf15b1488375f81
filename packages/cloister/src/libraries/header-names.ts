import { isRecord, isThenable } from '../functions.ts'
import { someSchema } from './subschemas.ts'
import type { LibraryResult, LibraryValidator } from './validate.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/**
 * Lets a library find headers by the names in its schema, whatever their letter case: those of requests are in lower
 * case, and so are those of the result (RFC 9110 section 5.1).
 *
 * @param schema - its JSON Schema; without one any name may have upper case
 */
export function withAnyCase(validate: LibraryValidator, schema: JsonSchema | undefined): LibraryValidator {
  if (schema !== undefined && !someSchema(schema, namesUpperCase)) return validate
  return (headers) => {
    const result = validate(isRecord(headers) ? new Proxy(headers, ANY_CASE) : headers)
    return isThenable(result) ? Promise.resolve(result).then(inLowerCase) : inLowerCase(result)
  }
}

function namesUpperCase({ properties }: JsonSchema): boolean {
  return isRecord(properties) && Object.keys(properties).some((name) => name !== name.toLowerCase())
}

/** The name that a header has; libraries also ask for symbols. */
function nameIn(headers: object, name: string | symbol): string | symbol {
  return typeof name === 'symbol' || Object.hasOwn(headers, name) ? name : name.toLowerCase()
}

const ANY_CASE: ProxyHandler<Record<string, unknown>> = {
  has: (headers, name) => Reflect.has(headers, nameIn(headers, name)),
  get: (headers, name): unknown => Reflect.get(headers, nameIn(headers, name)),
  getOwnPropertyDescriptor: (headers, name) =>
    Reflect.getOwnPropertyDescriptor(headers, nameIn(headers, name)),
}

function inLowerCase(result: LibraryResult | false): LibraryResult | false {
  if (result === false) return false
  if ('error' in result) {
    return {
      error: result.error.map((issue) => ({ ...issue, instancePath: issue.instancePath.toLowerCase() })),
    }
  }
  const { value } = result
  if (!isRecord(value)) return result
  const lowered: Record<string, unknown> = {}
  // What the schema declares in upper case comes before what the library has passed through.
  for (const [name, one] of Object.entries(value)) {
    const lower = name.toLowerCase()
    if (name !== lower || !Object.hasOwn(lowered, lower)) lowered[lower] = one
  }
  return { value: lowered }
}
