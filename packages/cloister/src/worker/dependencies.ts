import fastQuerystring from 'fast-querystring'
import preferredLanguages from 'negotiator/lib/language.js'
import preferredMediaTypes from 'negotiator/lib/mediaType.js'
import secureJsonParse from 'secure-json-parse'
import type { dependencies as replaced } from '../dependencies.ts'
import { PlatformFormParser } from './form-parser.ts'
import { proxyAddr } from './originals/proxies.ts'
import { satisfies } from './ranges.ts'

type Replaced = typeof replaced

/** The libraries that a worker uses. Bundlers include them. */
export const dependencies: Pick<
  Replaced,
  | 'busboy'
  | 'fastQuerystring'
  | 'preferredLanguages'
  | 'preferredMediaTypes'
  | 'proxyAddr'
  | 'secureJsonParse'
> & {
  readonly safeRegex: () => () => boolean
  readonly semver: () => { readonly satisfies: typeof satisfies }
} = {
  busboy: () => PlatformFormParser,
  fastQuerystring: () => fastQuerystring,
  preferredLanguages: () => preferredLanguages,
  preferredMediaTypes: () => preferredMediaTypes,
  proxyAddr: () => proxyAddr(),
  // Patterns in paths, like those in schemas, are checked when the same app boots on Node.
  safeRegex: () => () => true,
  secureJsonParse: () => secureJsonParse,
  semver: () => ({ satisfies }),
}
