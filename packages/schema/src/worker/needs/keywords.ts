/** Fails while the bundle has not the keywords of `late-keywords.ts`; see `worker-features.mjs`. */
export function needKeywords(): void {}
