const TOKEN = "[!#$%&'*+.^_`|~0-9a-z-]+"
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}$`)

/** A media type key in canonical form: lower case, trimmed, without parameters; undefined when it is none. */
export function canonicalMediaType(text: string): string | undefined {
  const [essence = ''] = text.split(';', 1)
  const canonical = essence.trim().toLowerCase()
  return MEDIA_TYPE.test(canonical) ? canonical : undefined
}
