import { generatedId } from '../document/operation-ids.ts'
import { OpenApiError } from '../errors.ts'
import { entriesOf, isRecord } from '../guards.ts'
import type { OpenApiDocument } from '../types.ts'
import { inNewerDialect } from './newer-dialect.ts'

/** A part of a document. */
export type Part = Readonly<Record<string, unknown>>

/** An operation of a document that an app implements. */
export interface SpecifiedOperation {
  readonly id: string
  readonly method: string
  /** The path in the document, as in `/pets/{id}`. */
  readonly path: string
  readonly fields: Part
  /** Its parameters, including those of its path; some are references. */
  readonly parameters: readonly unknown[]
  readonly item: Part
}

/** Methods with a field in a path item. */
export const METHODS: readonly string[] = 'get put post delete options head patch trace'.split(' ')

/** A document that an app implements, in the dialect of version 3.1. */
export class Specification {
  readonly document: OpenApiDocument
  readonly operations: readonly SpecifiedOperation[]

  /** @throws OpenApiError `CLO_ERR_OPENAPI_DOCUMENT` */
  constructor(given: unknown) {
    const isOld = isRecord(given) && String(given['openapi']).startsWith('3.0')
    const document = isOld ? inNewerDialect(given) : given
    if (!isDocument(document)) throw refused('it must be one of OpenAPI 3.0, 3.1 or 3.2, with info and paths')
    this.document = document
    this.operations = Object.entries(document.paths).flatMap(([path, item]) => this.#operationsOf(path, item))
    this.#checkNames()
  }

  /**
   * Follows the references of a part of the document that is not a schema.
   *
   * @throws OpenApiError `CLO_ERR_OPENAPI_DOCUMENT`
   */
  follow(part: unknown): Part {
    let found = part
    const seen = new Set<unknown>()
    while (isRecord(found) && typeof found['$ref'] === 'string') {
      if (seen.has(found)) throw refused(`"$ref": "${found['$ref']}" leads back to itself`)
      seen.add(found)
      found = this.at(found['$ref'])
    }
    return isRecord(found) ? found : {}
  }

  at(ref: string): unknown {
    if (!ref.startsWith('#'))
      throw refused(`"$ref": "${ref}" leads to another file; bundle them into one first`)
    const keys = ref.split('/').slice(1)
    const found = keys.reduce<unknown>((part, token) => {
      const key = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
      return typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined
    }, this.document)
    if (found === undefined) throw refused(`"$ref": "${ref}" leads nowhere`)
    return found
  }

  #operationsOf(path: string, given: unknown): SpecifiedOperation[] {
    const item = this.follow(given)
    return METHODS.flatMap((method) => {
      const fields = item[method]
      if (!isRecord(fields)) return []
      const { operationId, parameters } = fields
      const id = typeof operationId === 'string' ? operationId : generatedId(method, path)
      // A parameter of an operation replaces that of its path with the same name and location.
      const all = [item['parameters'] ?? [], parameters ?? []].flat().map((one): [string, unknown] => {
        const { in: where, name } = this.follow(one)
        return [`${String(where)} ${String(name)}`, one]
      })
      return [
        { id, method: method.toUpperCase(), path, fields, parameters: [...new Map(all).values()], item },
      ]
    })
  }

  #checkNames(): void {
    const [first] = this.operations
    if (first === undefined) throw refused('it has no operation under paths')
    const taken = new Map<string, SpecifiedOperation>()
    for (const one of this.operations) {
      const other = taken.get(one.id)
      taken.set(one.id, one)
      if (other === undefined) continue
      throw refused(`${other.method} ${other.path} and ${one.method} ${one.path} have one name, '${one.id}'`)
    }
  }
}

function refused(reason: string): OpenApiError {
  return new OpenApiError('CLO_ERR_OPENAPI_DOCUMENT', `the document cannot be implemented: ${reason}`)
}

function isDocument(value: unknown): value is OpenApiDocument {
  if (!isRecord(value)) return false
  const { openapi, info, paths } = value
  return /^3\.[012]/.test(String(openapi)) && isRecord(info) && isRecord(paths)
}

/** Returns the entries of a part whose values are parts. */
export function partsOf(value: unknown, spec: Specification): [string, Part][] {
  return entriesOf(value).map(([key, part]) => [key, spec.follow(part)])
}
