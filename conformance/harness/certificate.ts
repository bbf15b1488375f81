import { readFileSync } from 'node:fs'

const read = (name: string): string =>
  readFileSync(new URL(`../listen/fixtures/localhost-test-only.${name}.pem`, import.meta.url), 'utf8')

/** A key only for tests, which protects nothing, and its self-signed certificate. */
export function certificate(): { readonly key: string; readonly cert: string } {
  return { key: read('key'), cert: read('cert') }
}
