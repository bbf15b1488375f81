import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Libraries that many apps never use are loaded when they are first needed, which keeps the import of the framework
 * short. Node keeps each module after its first load.
 */
export const lazyModules: {
  readonly lightMyRequest: typeof import('light-my-request').default
  readonly pino: PinoModule
  readonly proxyAddr: typeof import('@fastify/proxy-addr')
  readonly semver: typeof import('semver')
} = {
  get lightMyRequest() {
    return require('light-my-request')
  },
  get pino() {
    return require('pino')
  },
  get proxyAddr() {
    return require('@fastify/proxy-addr')
  },
  get semver() {
    return require('semver')
  },
}

/** The part of pino that is used; its own types want serializers whose arguments are `any`. */
export interface PinoModule {
  pino(options: object, stream?: object): unknown
  destination(file: string): object
}
