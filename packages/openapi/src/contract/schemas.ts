import { loadAjv } from '../packages.ts'
import { isRecord } from '../guards.ts'
import type { OpenApiDocument, SecurityRequirement } from '../types.ts'

/** Returns why a value does not match a schema; `null` if it does. */
export type Judge = (value: unknown) => string | null

const DOCUMENT = 'openapi.json'

/** Reads the schemas of a document, and validates values with a validator other than that of the framework. */
export class DocumentSchemas {
  readonly #document: OpenApiDocument
  readonly #ajv: ReturnType<typeof loadAjv>
  readonly #judges = new Map<string, Judge>()

  constructor(document: OpenApiDocument) {
    this.#document = document
    this.#ajv = loadAjv()
    this.#ajv.addSchema({ ...document }, DOCUMENT, false, false)
  }

  /** The security of operations that do not state their own. */
  get security(): readonly SecurityRequirement[] {
    return this.#document.security ?? []
  }

  /** The names of parameters with credentials, in lower case. */
  get credentials(): ReadonlySet<string> {
    const schemes = Object.values(this.#document.components?.securitySchemes ?? {})
    const names = schemes.map(({ name }) => String(name).toLowerCase())
    return new Set(['authorization', ...names])
  }

  /** Returns the value at a JSON pointer, after following references, with its own pointer. */
  at(pointer: string): { readonly value: unknown; readonly pointer: string } {
    let value: unknown = this.#document
    for (const token of pointer.split('/').slice(1)) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
      value = Array.isArray(value) ? value[Number(key)] : isRecord(value) ? value[key] : undefined
    }
    const ref = isRecord(value) ? value['$ref'] : undefined
    const isAlias = isRecord(value) && Object.keys(value).length === 1
    return typeof ref === 'string' && isAlias && ref.startsWith('#/')
      ? this.at(ref.slice(1))
      : { value, pointer }
  }

  judge(pointer: string): Judge {
    const known = this.#judges.get(pointer)
    if (known !== undefined) return known
    const fragment = pointer.split('/').map(encodeURIComponent).join('/')
    const validate = this.#ajv.compile({ $ref: `${DOCUMENT}#${fragment}` })
    const judge: Judge = (value) => (validate(value) === true ? null : this.#ajv.errorsText(validate.errors))
    this.#judges.set(pointer, judge)
    return judge
  }
}

/** Appends keys to a JSON pointer (RFC 6901). */
export function pointerTo(base: string, ...keys: readonly (string | number)[]): string {
  const tokens = keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return `${base}${tokens.join('')}`
}
