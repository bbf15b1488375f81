/** Functions for the body of a refusal that return a promise, which is a mistake. */
export const PROMISED: readonly (readonly [title: string, errorResponse: () => unknown])[] = [
  ['resolves', async () => ({ own: true })],
  ['rejects', () => Promise.reject(new Error('no body'))],
  ['rejects with a promise that rejects', () => Promise.reject(Promise.reject(new Error('no body')))],
]
