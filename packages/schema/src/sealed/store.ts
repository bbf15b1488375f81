import { SchemaError } from '../errors.ts'
import { defineOwn, isSchemaObject, unwrapFluent } from '../guards.ts'
import { textOf } from '../ahead/key.ts'
import type { CallSiteText, SchemaStore } from '../store/context-store.ts'

interface Entry {
  readonly schema: unknown
  readonly text: string | undefined
  readonly callSite: CallSiteText | undefined
}

/** The shared schemas of a context, which are compared by their texts and not read. */
export class SealedStore implements SchemaStore {
  readonly name: string
  readonly #parent: SealedStore | undefined
  readonly #own: Map<string, Entry> = new Map()

  constructor(name: string, parent: SealedStore | undefined) {
    this.name = name
    this.#parent = parent
  }

  add(input: unknown, callSite?: CallSiteText): void {
    const given = unwrapFluent(input)
    const text = textOf(given)
    // Later changes of the application's object change nothing.
    const schema: unknown = text === undefined ? given : JSON.parse(text)
    const id = isSchemaObject(schema) ? schema['$id'] : undefined
    if (typeof id !== 'string' || id === '')
      throw new SchemaError({ code: 'ID_MISSING', reason: 'a shared schema needs a non-empty string "$id"' })
    if (this.#find(id) !== undefined)
      throw new SchemaError({ code: 'ID_DUPLICATE', schemaId: id, reason: 'the "$id" is already taken' })
    this.#own.set(id, { schema, text, callSite })
  }

  get(id: string): unknown {
    return this.#find(id)?.schema
  }

  textOf(id: string): string | undefined {
    return this.#find(id)?.text
  }

  callSiteOf(id: string): CallSiteText | undefined {
    return this.#find(id)?.callSite
  }

  all(): Record<string, unknown> {
    const visible: Record<string, unknown> = this.#parent === undefined ? {} : this.#parent.all()
    for (const [id, { schema }] of this.#own) defineOwn(visible, id, schema)
    return visible
  }

  #find(id: string): Entry | undefined {
    return this.#own.get(id) ?? (this.#parent === undefined ? undefined : this.#parent.#find(id))
  }
}
