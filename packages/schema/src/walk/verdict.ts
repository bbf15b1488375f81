/** What a look at a value says. */
export type Verdict = typeof YES | typeof NO | typeof ASK

/** It fits, with the edits that were noted. */
export const YES = 1
/** It surely does not fit, and Ajv would have changed nothing up to here. */
export const NO = 0
/** Only a walk can tell. */
export const ASK = -1

/** What a walk made of a keyword. */
export type Outcome = typeof FAILED | typeof PASSED | typeof SKIPPED

/** The value does not fit. */
export const FAILED = 0
/** The value fits. */
export const PASSED = 1
/** The value fits, and Ajv passes over the keywords behind it in the same group. */
export const SKIPPED = 2
