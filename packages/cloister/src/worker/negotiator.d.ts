/** The package has no types; these are those of what the framework uses. */
declare module 'negotiator/lib/*.js' {
  const preferred: (field: string | undefined, available: string[]) => string[]
  export default preferred
}
