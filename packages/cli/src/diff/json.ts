/** An object of a document. */
export type Json = Readonly<Record<string, unknown>>

/** A value as an object; an empty one where it is none. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as a list; an empty one where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A value as text that is the same for equal values: the order of properties does not count. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined'
  const pairs = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${textOf(value[key])}`)
  return `{${pairs.join(',')}}`
}

/** A document with the objects that its references name. */
export class DocumentReader {
  readonly root: Json

  constructor(root: Json) {
    this.root = root
  }

  /** Follows `$ref` within the document; members beside it come on top. What cannot be followed stays as it is. */
  follow(value: unknown): Json {
    let found = objectOf(value)
    for (let steps = 0; typeof found['$ref'] === 'string' && steps < 50; steps++) {
      const { $ref, ...rest } = found
      const target = this.#at(String($ref))
      if (target === null) return found
      found = { ...target, ...rest }
    }
    return found
  }

  #at(reference: string): Json | null {
    if (!reference.startsWith('#')) return null
    let found: unknown = this.root
    for (const part of reference.split('/').slice(1)) {
      found = objectOf(found)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')]
    }
    return isObject(found) ? found : null
  }
}
