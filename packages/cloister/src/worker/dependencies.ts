import parse from 'fast-querystring/lib/parse.js'
import secureJsonParse from 'secure-json-parse'
import type { dependencies as replaced } from '../dependencies.ts'
import { PlatformFormParser } from './form-parser.ts'
import { preferredLanguages, preferredMediaTypes } from './originals/negotiation.ts'
import { proxyAddr } from './originals/proxies.ts'
import { satisfies } from './ranges.ts'

type Replaced = typeof replaced

/** The libraries that a worker uses. Bundlers include them. */
export const dependencies: Pick<
  Replaced,
  'busboy' | 'preferredLanguages' | 'preferredMediaTypes' | 'proxyAddr' | 'secureJsonParse'
> & {
  readonly fastQuerystring: () => Pick<ReturnType<Replaced['fastQuerystring']>, 'parse'>
  readonly safeRegex: () => () => boolean
  readonly semver: () => { readonly satisfies: typeof satisfies }
} = {
  busboy: () => PlatformFormParser,
  fastQuerystring: () => ({ parse }),
  preferredLanguages: () => preferredLanguages(),
  preferredMediaTypes: () => preferredMediaTypes(),
  proxyAddr: () => proxyAddr(),
  // Patterns in paths, like those in schemas, are checked when the same app boots on Node.
  safeRegex: () => () => true,
  secureJsonParse: () => secureJsonParse,
  semver: () => ({ satisfies }),
}
