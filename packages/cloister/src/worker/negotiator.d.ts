/** The package has no types; these are those of what the framework uses. */
declare module 'negotiator' {
  const Negotiator: import('../dependencies.ts').NegotiatorClass
  export default Negotiator
}
