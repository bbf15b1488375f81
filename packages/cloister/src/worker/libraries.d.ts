/** The packages have no types for their modules. These are the types of those that the framework uses. */
declare module 'negotiator/lib/*.js' {
  const preferred: (field: string | undefined, available: string[]) => string[]
  export default preferred
}

declare module 'fast-querystring/lib/parse.js' {
  import type { parse as original } from 'fast-querystring'

  const parse: typeof original
  export default parse
}
