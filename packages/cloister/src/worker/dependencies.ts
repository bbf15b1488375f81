import proxyAddr from '@fastify/proxy-addr'
import fastQuerystring from 'fast-querystring'
import preferredLanguages from 'negotiator/lib/language.js'
import preferredMediaTypes from 'negotiator/lib/mediaType.js'
import secureJsonParse from 'secure-json-parse'
import type { dependencies as replaced, NegotiatorClass } from '../dependencies.ts'
import { PlatformFormParser } from './form-parser.ts'
import { satisfies } from './ranges.ts'

type Replaced = typeof replaced

/** The two of its methods that are used; encodings and charsets are left to the platform. */
class Negotiator implements InstanceType<NegotiatorClass> {
  readonly #headers: Readonly<Record<string, string>>

  constructor({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
    this.#headers = headers
  }

  mediaTypes(available: string[]): string[] {
    return preferredMediaTypes(this.#headers['accept'], available)
  }

  languages(available: string[]): string[] {
    return preferredLanguages(this.#headers['accept-language'], available)
  }
}

/** The libraries that a worker uses; bundlers put them into its file. */
export const dependencies: Pick<
  Replaced,
  'Busboy' | 'fastQuerystring' | 'Negotiator' | 'proxyAddr' | 'secureJsonParse'
> & {
  readonly safeRegex: () => boolean
  readonly semver: { readonly satisfies: typeof satisfies }
} = {
  Busboy: PlatformFormParser,
  fastQuerystring,
  Negotiator,
  proxyAddr,
  // As those of schemas, expressions in paths are checked by the boot of the same app on Node.
  safeRegex: () => true,
  secureJsonParse,
  semver: { satisfies },
}
