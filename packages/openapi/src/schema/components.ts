import type { SchemaDocument, SchemaLocation, SchemaScope } from '@cloister/schema'

import type { JsonSchema } from '../types.ts'
import { SchemaIdentity } from './identity.ts'

/** A schema that has yet to be written as a component. */
export interface PendingComponent {
  readonly name: string
  readonly location: SchemaLocation
  readonly use: ComponentUse
}

/** Where a schema is referred to. */
export interface ComponentUse {
  readonly scope: SchemaScope
  readonly localName: string
  readonly refuse: (pointer: string, reason: string) => Error
}

const INVALID = /[^a-zA-Z0-9._-]+/g

/** The schemas under `#/components/schemas`: one for each target of references, with stable names. */
export class Components {
  readonly #identity = new SchemaIdentity()
  /** The definitions that responses use, by name. */
  readonly #written = new Map<string, Set<string>>()
  readonly #names = new Map<string, string>()
  /** The targets of references that responses reach. */
  readonly #sent = new Set<string>()
  /** Documents that are referred to as a whole. */
  readonly #referredTo = new WeakSet<SchemaDocument>()
  readonly #taken: Set<string>
  readonly #pending: PendingComponent[] = []
  readonly #schemas = new Map<string, JsonSchema>()

  readonly #base: string

  /**
   * @param taken - names that the application uses itself
   * @param base - the JSON pointer below which the schemas are written
   */
  constructor(taken: Iterable<string> = [], base = '#/components/schemas/') {
    this.#taken = new Set(taken)
    this.#base = base
  }

  /** Returns the reference to a schema, and makes it a component if it is not one yet. */
  referTo(location: SchemaLocation, use: ComponentUse): string {
    if (location.pointer === '') this.#referredTo.add(location.document)
    const key = this.#keyOf(location, use)
    const known = this.#names.get(key)
    if (known !== undefined) return `${this.#base}${known}`
    const name = this.reserve(`${nameOf(location, use.localName)}${this.#suffixOf(location, use)}`)
    this.#names.set(key, name)
    this.#pending.push({ name, location, use })
    return `${this.#base}${name}`
  }

  /** Returns the reference to a schema that is already a component. */
  find(location: SchemaLocation, use: ComponentUse): string | undefined {
    if (!this.#referredTo.has(location.document)) return undefined
    const known = this.#names.get(this.#keyOf(location, use))
    return known === undefined ? undefined : `${this.#base}${known}`
  }

  /**
   * Records the definitions that a response uses. If a request uses another form of one of them, that form gets
   * another name: the input of a library's schema may differ from its output.
   */
  noteOutput(root: SchemaLocation, scope: SchemaScope): void {
    const reached = new Set<string>()
    const queue = [root]
    for (const one of queue) {
      for (const target of this.#identity.targetsOf(one, scope)) {
        const identity = this.#identity.of(target, scope)
        const key = `${target.pointer} ${identity}`
        if (reached.has(key)) continue
        reached.add(key)
        this.#sent.add(key)
        queue.push(target)
        if (!isDefinition(target)) continue
        const name = nameOf(target, '')
        this.#written.set(name, (this.#written.get(name) ?? new Set()).add(identity))
      }
    }
  }

  /** Whether a response reaches the schema, so that it describes what the app sends. */
  isSent(location: SchemaLocation, { scope }: ComponentUse): boolean {
    return this.#sent.has(`${location.pointer} ${this.#identity.of(location, scope)}`)
  }

  #suffixOf(location: SchemaLocation, { scope }: ComponentUse): string {
    const written = isDefinition(location) ? this.#written.get(nameOf(location, '')) : undefined
    return written === undefined || written.has(this.#identity.of(location, scope)) ? '' : 'Input'
  }

  /** Schemas with the same name and content are one component. For a schema without a name, only the content counts. */
  #keyOf(location: SchemaLocation, { scope }: ComponentUse): string {
    return `${nameOf(location, '')} ${this.#identity.of(location, scope)}`
  }

  /** Returns a name that no other component has: the wanted one, or the same with a number. */
  reserve(wanted: string): string {
    const base = wanted.replaceAll(INVALID, '_').replace(/^_+|_+$/g, '') || 'schema'
    let name = base
    for (let count = 2; this.#taken.has(name); count += 1) name = `${base}_${count}`
    this.#taken.add(name)
    return name
  }

  takePending(): PendingComponent | undefined {
    return this.#pending.shift()
  }

  set(name: string, schema: JsonSchema): void {
    this.#schemas.set(name, schema)
  }

  get schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#schemas)
  }
}

function isDefinition({ document, pointer }: SchemaLocation): boolean {
  return document.sharedId === undefined && /^\/(?:definitions|\$defs)\/[^/]+$/.test(pointer)
}

/** Returns the preferred name of a component: a shared schema's `$id`, with the last key for a schema in it. */
function nameOf({ document, pointer, schema }: SchemaLocation, localName: string): string {
  const key = pointer.slice(pointer.lastIndexOf('/') + 1)
  if (document.sharedId === undefined) {
    const title = typeof schema === 'object' && schema !== null ? ownText(schema, '$id') : ''
    return title !== '' ? baseName(title) : pointer === '' ? localName : decode(key)
  }
  const base = baseName(document.sharedId)
  return pointer === '' ? base : `${base}_${decode(key)}`
}

function ownText(schema: object, key: string): string {
  const value: unknown = Reflect.get(schema, key)
  return typeof value === 'string' ? value : ''
}

/** Returns the name in an `$id`: for a URI the last part of the path, without the extension. */
function baseName(id: string): string {
  const plain = id.replace(/#$/, '')
  if (!plain.includes('/') && !plain.includes(':')) return plain.replace(/^#/, '')
  const [last = ''] = plain
    .split(/[/:#?]/)
    .filter(Boolean)
    .toReversed()
  return last.replace(/\.json$|\.schema\.json$/, '')
}

function decode(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
