/** Fails while the bundle does not read input exactly; see `worker-features.mjs`. */
export function needExact(): void {}
