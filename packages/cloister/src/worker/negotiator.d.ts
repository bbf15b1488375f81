/** The package has no types. These are the types of the modules that the framework uses. */
declare module 'negotiator/lib/*.js' {
  const preferred: (field: string | undefined, available: string[]) => string[]
  export default preferred
}
