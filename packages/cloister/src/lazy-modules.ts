import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** `require` knows no types: what is asked for states those of its module. */
function load<Module>(name: string): Module {
  // oxlint-disable-next-line typescript/no-unsafe-return -- stated by what is asked for, see above
  return require(name)
}

/**
 * Libraries that many apps never use are loaded when they are first needed, which keeps the import of the framework
 * short. Node keeps each module after its first load.
 */
export const lazyModules: {
  readonly http2: typeof import('node:http2')
  readonly lightMyRequest: typeof import('light-my-request').default
  readonly pino: PinoModule
  readonly proxyAddr: typeof import('@fastify/proxy-addr')
  readonly semver: typeof import('semver')
} = {
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
  get semver(): typeof import('semver') {
    return load('semver')
  },
}

/** The part of pino that is used; its own types want serializers whose arguments are `any`. */
export interface PinoModule {
  pino(options: object, stream?: object): unknown
  destination(file: string): object
}
