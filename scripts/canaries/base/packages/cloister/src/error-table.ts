interface ErrorEntry {
  readonly status: number
  readonly fault: 'client' | 'app' | 'framework'
  readonly message: string
}

/** The errors of the canary workspace. */
export const errorTable: Readonly<Record<string, ErrorEntry>> = {
  NOT_FOUND: { status: 404, fault: 'client', message: '{what} is not here' },
}
