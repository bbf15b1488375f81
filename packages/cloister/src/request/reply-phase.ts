/** No payload has been sent yet. */
export const OPEN = 0
/** `send` was called; the reply path is running. */
export const SENDING = 1
/** The response was given to the transport. */
export const SENT = 2
/** User code has taken the raw response over. */
export const HIJACKED = 3

export type ReplyPhase = typeof OPEN | typeof SENDING | typeof SENT | typeof HIJACKED
