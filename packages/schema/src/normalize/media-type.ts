const TOKEN = "[!#$%&'*+.^_`|~0-9a-z-]+"
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}$`)

/**
 * Returns a media type in canonical form: lower case, trimmed, without parameters; undefined for other texts.
 */
export function canonicalMediaType(text: string): string | undefined {
  const [essence = ''] = text.split(';', 1)
  const canonical = essence.trim().toLowerCase()
  return MEDIA_TYPE.test(canonical) ? canonical : undefined
}
