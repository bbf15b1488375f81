/** A recursive schema is written to this depth; the stack of a small process has room for it. */
export const MAX_DEPTH = 2500

/** The reason for which a deeper value is refused. */
export const TOO_DEEP: string = `the value is nested more than ${MAX_DEPTH} levels deep`
