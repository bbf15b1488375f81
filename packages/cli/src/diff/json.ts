export type Json = Readonly<Record<string, unknown>>

/** Returns a value if it is an object, or an empty object. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a value if it is an array, or an empty array. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Serializes a value; equal values have equal texts, whatever the order of their properties. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined'
  const pairs = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${textOf(value[key])}`)
  return `{${pairs.join(',')}}`
}

/** A document, and the resolution of its references. */
export class DocumentReader {
  readonly root: Json

  constructor(root: Json) {
    this.root = root
  }

  /** Follows `$ref` within the document; sibling members override the target. Keeps a `$ref` without a target. */
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
