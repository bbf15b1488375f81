/** Fails while the bundle has not `anyOf`, `oneOf` and `if`; see `worker-features.mjs`. */
export function needUnions(): void {}
