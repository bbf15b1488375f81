import { isObject, isSchemaObject } from '../guards.ts'
import { dialectOf, type Dialect } from './dialect.ts'
import { DATA_KEYWORDS } from './vocabulary.ts'
import { loadFastUri } from '../dependencies.ts'
import { pointerKeys, pointerToken } from './pointer.ts'

/*
 * One resolver for validator, serializer and tools. A `$ref` is resolved against the base URI of its location (the
 * nearest `$id` above it), then looked up: 1. in the document itself: the root, a nested `$id`, an anchor (`$id:
 * '#name'`, `$anchor` or `$dynamicAnchor`), 2. among the shared schemas by `$id`, and 3. inside the shared schemas,
 * by nested `$id`. A fragment that starts with `/` is a JSON pointer, any other fragment an anchor. An anchor that
 * the document lacks may be the whole `$id` of a shared schema (`$id: '#name'`).
 */

/** A schema, its base URI, and its position in a document. */
export interface SchemaLocation {
  /** The schema; the target of a pointer may be any value. */
  readonly schema: unknown
  /** Base URI for its `$ref`. */
  readonly base: string
  /** JSON pointer inside the document, `''` for its root. */
  readonly pointer: string
  /** The document that contains it. */
  readonly document: SchemaDocument
}

/** A root schema, with the named locations in it. */
export class SchemaDocument {
  /** The whole document as a location. */
  readonly root: SchemaLocation
  /** The `$id` under which the document is shared, if it is. */
  readonly sharedId: string | undefined
  /** The version of JSON Schema in which the whole document is read. */
  readonly dialect: Dialect
  readonly #hasNames: boolean
  #names: NameIndex | undefined

  /**
   * @param dialect - the dialect if there is no `$schema`
   * @param hasNames - false when no schema below the root has an `$id` or an anchor
   */
  constructor(schema: unknown, dialect: Dialect, sharedId?: string, hasNames: boolean = true) {
    const id = isSchemaObject(schema) && typeof schema['$id'] === 'string' ? schema['$id'] : (sharedId ?? '')
    this.root = { schema, base: normalizeUri(id), pointer: '', document: this }
    this.sharedId = sharedId
    this.dialect = dialectOf(schema, dialect)
    this.#hasNames = hasNames
  }

  /** URI without trailing `#` → location. */
  get named(): ReadonlyMap<string, SchemaLocation> {
    return this.#index().locations
  }

  /** A name that two schemas have, if there is one. */
  get ambiguous(): string | undefined {
    return this.#index().ambiguous
  }

  #index(): NameIndex {
    if (this.#names !== undefined) return this.#names
    if (!this.#hasNames) return NO_NAMES
    this.#names = new NameIndex()
    this.#names.addAnchor(this.root)
    this.#names.addBelow(this.root)
    return this.#names
  }
}

/** Reads the shared schemas that are visible to the referring schema. */
export interface SharedLookup {
  /** Returns the shared schema with that `$id`; undefined when there is none. */
  get(id: string): unknown
  /** Returns the `$id` of every shared schema. */
  ids(): Iterable<string>
}

/** Returns an `$id` or `$ref` without an empty fragment at its end. */
export function normalizeUri(uri: string): string {
  return uri.replace(/#\/?$/, '')
}

/** Returns the fragment of a URI, without the `#`. */
export function fragmentOf(uri: string): string {
  const hash = uri.indexOf('#')
  return hash === -1 ? '' : uri.slice(hash + 1)
}

const SIMPLE_NAME = /^[^:/?%]*$/

/** Resolves `ref` against `base`; plain names and fragments need no URI parser. */
export function resolveUri(base: string, ref: string): string {
  const target = normalizeUri(ref)
  if (target === '') return base
  if (target.startsWith('#')) return base.split('#', 1)[0] + target
  if (base === '' || (SIMPLE_NAME.test(base) && SIMPLE_NAME.test(target))) return target
  return normalizeUri(loadFastUri().resolve(base, target))
}

/** The names of a document: every nested `$id` and anchor, also below unknown keywords. */
class NameIndex {
  readonly locations: Map<string, SchemaLocation> = new Map()
  ambiguous: string | undefined = undefined

  addBelow(location: SchemaLocation): void {
    if (!isObject(location.schema)) return
    for (const [key, value] of Object.entries(location.schema)) {
      if (!isObject(value) || DATA_KEYWORDS.has(key)) continue
      const child = childLocation(location, [key])
      if (isSchemaObject(value)) {
        if (typeof value['$id'] === 'string') this.#add(resolveUri(location.base, value['$id']), child)
        this.addAnchor(child)
      }
      this.addBelow(child)
    }
  }

  addAnchor(location: SchemaLocation): void {
    if (!isSchemaObject(location.schema)) return
    for (const keyword of ANCHORS[location.document.dialect]) {
      const anchor = location.schema[keyword]
      if (typeof anchor === 'string') this.#add(resolveUri(location.base, `#${anchor}`), location)
    }
  }

  #add(uri: string, location: SchemaLocation): void {
    if (this.locations.has(uri)) this.ambiguous = uri
    else this.locations.set(uri, location)
  }
}

const NO_NAMES = new NameIndex()

const ANCHORS: Readonly<Record<Dialect, readonly string[]>> = {
  'draft-07': ['$anchor'],
  '2020-12': ['$anchor', '$dynamicAnchor'],
}

/** Returns the location below another one; an `$id` on the path changes the base URI. */
export function childLocation(from: SchemaLocation, keys: readonly (string | number)[]): SchemaLocation {
  let { schema, base, pointer } = from
  for (const key of keys) {
    schema = isObject(schema) && Object.hasOwn(schema, key) ? schema[key] : undefined
    pointer += `/${pointerToken(key)}`
    if (isSchemaObject(schema)) {
      const id = schema['$id']
      if (typeof id === 'string' && !id.startsWith('#')) base = resolveUri(base, id)
    }
  }
  return { schema, base, pointer, document: from.document }
}

/** Indexed documents by schema object, shared by the scopes of an application. */
export type DocumentCache = WeakMap<object, SchemaDocument>

/** Resolves references among one set of visible shared schemas. */
export class SchemaScope {
  readonly #shared: SharedLookup
  readonly #dialect: Dialect
  readonly #documents: DocumentCache

  /** @param dialect - the dialect of schemas without `$schema` */
  constructor(shared: SharedLookup, documents: DocumentCache = new WeakMap(), dialect: Dialect = 'draft-07') {
    this.#shared = shared
    this.#dialect = dialect
    this.#documents = documents
  }

  /**
   * Opens a schema as a separate document and returns its root.
   * @param hasNames - false when it has no `$id` and no anchor inside
   */
  open(schema: unknown, hasNames: boolean = true): SchemaLocation {
    return this.#open(schema, undefined, hasNames).root
  }

  /** Opens the shared schema with that `$id`, if it is visible. */
  openShared(id: string): SchemaLocation | undefined {
    const key = this.#sharedKey(id)
    return key === undefined ? undefined : this.#open(this.#shared.get(key), key).root
  }

  /** Returns the target of a `$ref` at a location; undefined if there is none. */
  resolve(from: SchemaLocation, ref: string): SchemaLocation | undefined {
    const uri = resolveUri(from.base, ref)
    const fragment = fragmentOf(uri)
    const resource = this.#resource(from.document, uri.split('#', 1)[0] ?? '', ref)
    if (resource === undefined || fragment === '') return resource
    if (fragment.startsWith('/')) return existing(resource, pointerKeys(fragment))
    return (
      resource.document.named.get(`${resource.base}#${fragment}`) ??
      resource.document.named.get(`${resource.base}#${decodeFragment(fragment)}`) ??
      this.openShared(ref)
    )
  }

  #open(schema: unknown, sharedId: string | undefined, hasNames: boolean = true): SchemaDocument {
    if (!isObject(schema)) return new SchemaDocument(schema, this.#dialect, sharedId, hasNames)
    const known = this.#documents.get(schema)
    if (known !== undefined && known.sharedId === sharedId) return known
    const document = new SchemaDocument(schema, this.#dialect, sharedId, hasNames)
    this.#documents.set(schema, document)
    return document
  }

  #resource(document: SchemaDocument, uri: string, ref: string): SchemaLocation | undefined {
    if (uri === document.root.base) return document.root
    const written = ref.split('#', 1)[0] ?? ''
    return (
      document.named.get(uri) ??
      this.openShared(uri) ??
      (written === '' ? undefined : this.openShared(written)) ??
      this.#nested(uri)
    )
  }

  #nested(uri: string): SchemaLocation | undefined {
    for (const id of this.#shared.ids()) {
      const found = this.openShared(id)?.document.named.get(uri)
      if (found !== undefined) return found
    }
    return undefined
  }

  #sharedKey(id: string): string | undefined {
    if (this.#shared.get(id) !== undefined) return id
    const twin = twinUri(id)
    const names = twin === undefined ? [id] : [id, twin]
    return names.flatMap((name) => [name, `${name}#`]).find((key) => this.#shared.get(key) !== undefined)
  }
}

/**
 * Returns the other form of an http URI without a path, which is equivalent to the one with the path `/` (RFC 3986
 * section 6.2.3).
 */
export function twinUri(uri: string): string | undefined {
  const origin = /^(https?:\/\/[^/?#]+)(\/?)$/.exec(uri)
  if (origin === null) return undefined
  return origin[2] === '' ? `${uri}/` : origin[1]
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function existing(from: SchemaLocation, keys: string[] | undefined): SchemaLocation | undefined {
  if (keys === undefined) return undefined
  const location = childLocation(from, keys)
  return location.schema === undefined ? undefined : location
}
