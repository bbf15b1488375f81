/** Fails while the bundle has no streams of items; see `worker-features.mjs`. */
export function needItems(): void {}
