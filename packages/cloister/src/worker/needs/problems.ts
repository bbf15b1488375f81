/** Fails while the bundle has no problem details; see `worker-features.mjs`. */
export function needProblems(): void {}
