/** The value of `--watched` for an app that listens by itself. */
export const BY_ITSELF = 'by itself'
