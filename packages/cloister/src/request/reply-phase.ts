/** Nobody has answered yet. */
export const OPEN = 0
/** `send` was called; the reply path is running. */
export const ANSWERING = 1
/** The answer was handed to the transport. */
export const ANSWERED = 2
/** User code has taken the raw response over. */
export const HIJACKED = 3

export type ReplyPhase = typeof OPEN | typeof ANSWERING | typeof ANSWERED | typeof HIJACKED
