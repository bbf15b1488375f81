import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** `require` knows no types: what is asked for states those of its module. */
function load<Module>(name: string): Module {
  // oxlint-disable-next-line typescript/no-unsafe-return -- stated by what is asked for, see above
  return require(name)
}

/**
 * CommonJS libraries. Those that many apps never use are loaded when they are first needed; those that every app
 * needs are read from here by the modules that use them as these are loaded. To `import` them instead, Node would
 * search their text for exports, which costs more than running them. Node keeps each module after its first load.
 */
export const lazyModules: {
  readonly fastQuerystring: typeof import('fast-querystring').default
  readonly findMyWay: typeof import('find-my-way')
  readonly http2: typeof import('node:http2')
  readonly lightMyRequest: typeof import('light-my-request').default
  readonly pino: PinoModule
  readonly proxyAddr: typeof import('@fastify/proxy-addr')
  readonly secureJsonParse: typeof import('secure-json-parse')
  readonly semver: typeof import('semver')
} = {
  get fastQuerystring(): typeof import('fast-querystring').default {
    return load('fast-querystring')
  },
  get findMyWay(): typeof import('find-my-way') {
    return load('find-my-way')
  },
  get http2(): typeof import('node:http2') {
    return load('node:http2')
  },
  get lightMyRequest(): typeof import('light-my-request').default {
    return load('light-my-request')
  },
  get pino(): PinoModule {
    return load('pino')
  },
  get proxyAddr(): typeof import('@fastify/proxy-addr') {
    return load('@fastify/proxy-addr')
  },
  get secureJsonParse(): typeof import('secure-json-parse') {
    return load('secure-json-parse')
  },
  get semver(): typeof import('semver') {
    return load('semver')
  },
}

/** The part of pino that is used; its own types want serializers whose arguments are `any`. */
export interface PinoModule {
  pino(options: object, stream?: object): unknown
  destination(file: string): object
}
