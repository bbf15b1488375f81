/** Fails while the bundle does not compare what clients accept; see `worker-features.mjs`. */
export function needNegotiation(): void {}
