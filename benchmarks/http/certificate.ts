import { readFileSync } from 'node:fs'

const folder = new URL('../../../conformance/listen/fixtures/', import.meta.url)
const read = (name: string): Buffer => readFileSync(new URL(`localhost-test-only.${name}.pem`, folder))

/** A key and its certificate, for servers that are measured with TLS. */
export const certificate: { readonly key: Buffer; readonly cert: Buffer } = {
  key: read('key'),
  cert: read('cert'),
}
