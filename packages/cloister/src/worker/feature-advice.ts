/** What to do about a feature that a bundle does not have. `cloister build` replaces this module. */
export function adviceFor(feature: string): string {
  return `which bundles with the condition cloister-lean leave out; add import 'cloister/features/${feature}' to the entry of the worker`
}
