import { readFileSync } from 'node:fs'

const read = (name: string): string =>
  readFileSync(new URL(`../listen/fixtures/localhost-test-only.${name}.pem`, import.meta.url), 'utf8')

/** A key for tests alone, which protects nothing, and its certificate, signed by itself. */
export function certificate(): { readonly key: string; readonly cert: string } {
  return { key: read('key'), cert: read('cert') }
}
