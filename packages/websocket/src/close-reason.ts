/** The longest reason of a close frame, in bytes (RFC 6455 section 5.5). */
const MAX_REASON_BYTES = 123

/**
 * Returns the reason of a close frame, truncated at a character boundary.
 *
 * @param reason - a text; code without types may give another value, such as an error
 */
export function closeReason(reason: unknown): string {
  const text = messageOf(reason)
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= MAX_REASON_BYTES) return text
  return new TextDecoder().decode(bytes.subarray(0, MAX_REASON_BYTES)).replace(/\uFFFD+$/, '')
}

/** Returns the message of an error, or another value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
