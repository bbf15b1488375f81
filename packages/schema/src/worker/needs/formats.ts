/** Fails while the bundle has not formats of texts; see `worker-features.mjs`. */
export function needFormats(): void {}
