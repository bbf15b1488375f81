import proxyAddr from '@fastify/proxy-addr'
import fastQuerystring from 'fast-querystring'
import Negotiator from 'negotiator'
import safeRegex from 'safe-regex2'
import secureJsonParse from 'secure-json-parse'
import satisfies from 'semver/functions/satisfies.js'
import type { dependencies as replaced } from '../dependencies.ts'

type Replaced = typeof replaced

/** The libraries that a worker uses; bundlers put them into its file. */
export const dependencies: Pick<
  Replaced,
  'fastQuerystring' | 'Negotiator' | 'proxyAddr' | 'safeRegex' | 'secureJsonParse'
> & { readonly semver: Pick<Replaced['semver'], 'satisfies'> } = {
  fastQuerystring,
  Negotiator,
  proxyAddr,
  safeRegex,
  secureJsonParse,
  semver: { satisfies },
}
