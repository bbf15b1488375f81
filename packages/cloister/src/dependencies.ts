import { createRequire } from 'node:module'
import type { OutgoingHttpHeaders } from 'node:http'
import type { Response as InjectResponse } from 'light-my-request'

/*
 * CommonJS libraries and modules of Node, loaded with `require`: optional ones on first use, the others when their
 * module loads. `import` is slower because Node first searches CommonJS sources for named exports.
 *
 * Each call of `require` contains its name as a literal, and the build replaces this `require` with that of CommonJS,
 * so that bundlers find the libraries.
 */
const require: RequireOwn = createRequire(import.meta.url)

/** `require` with a result type that the caller knows. */
type RequireOwn = <Module>(name: string) => Module

/** A module of `negotiator`: returns the available values that a request header accepts, the best first. */
export type Preferred = (field: string | undefined, available: string[]) => string[]

/** The part of `set-cookie-parser` that the framework uses. */
export interface SetCookieParser {
  parse(response: { readonly headers: OutgoingHttpHeaders }): InjectResponse['cookies']
}

/** The part of pino that the framework uses. Pino's own types require serializers with `any` arguments. */
export interface PinoModule {
  pino(options: object, stream?: object): unknown
  destination(options: { readonly dest: string; readonly maxLength: number }): object
}

/** The part of a `@fastify/busboy` parser that the framework uses. */
export interface FormParser {
  /** bytes that were written but not parsed yet */
  readonly writableLength: number
  on(
    event: 'file',
    listener: (name: unknown, file: FileSource, filename: unknown, encoding: string, type: string) => void,
  ): void
  on(
    event: 'field',
    listener: (
      name: unknown,
      value: string,
      _: boolean,
      isCut: boolean,
      encoding: string,
      type: string,
    ) => void,
  ): void
  on(event: 'error', listener: (error: unknown) => void): void
  on(event: 'drain' | 'finish' | 'partsLimit', listener: () => void): void
  /** @returns false if the caller must wait for `drain` before the next write */
  write(chunk: Uint8Array): boolean
  end(): void
}

/** The stream of a file from the form parser. */
export interface FileSource {
  on(event: 'data', listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown
  on(event: 'end', listener: () => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  pause(): unknown
  resume(): unknown
}

/** The part of `@fastify/busboy` that the framework uses. */
export type FormParserClass = new (options: {
  readonly headers: { readonly 'content-type': string }
  readonly isPartAFile: (name: unknown, type: unknown, filename: unknown) => boolean
  readonly limits: Readonly<Record<'fieldSize' | 'parts' | 'headerPairs' | 'headerSize', number>>
}) => FormParser

/** Functions that load a library on their first call. */
export const dependencies = {
  busboy: (): FormParserClass => require('@fastify/busboy'),
  dns: (): typeof import('node:dns/promises') => require('node:dns/promises'),
  fastQuerystring: (): typeof import('fast-querystring').default => require('fast-querystring'),
  http2: (): typeof import('node:http2') => require('node:http2'),
  https: (): typeof import('node:https') => require('node:https'),
  lightMyRequest: (): typeof import('light-my-request').default => require('light-my-request'),
  /** The parser of `light-my-request` for `url` and `query`. */
  parseInjectedUrl: (): ((url: unknown, query: unknown) => URL) => require('light-my-request/lib/parse-url'),
  pino: (): PinoModule => require('pino'),
  preferredLanguages: (): Preferred => require('negotiator/lib/language.js'),
  preferredMediaTypes: (): Preferred => require('negotiator/lib/mediaType.js'),
  proxyAddr: (): Pick<typeof import('@fastify/proxy-addr'), 'compile'> => require('@fastify/proxy-addr'),
  safeRegex: (): typeof import('safe-regex2').default => require('safe-regex2'),
  secureJsonParse: (): typeof import('secure-json-parse') => require('secure-json-parse'),
  semver: (): typeof import('semver') => require('semver'),
  setCookieParser: (): SetCookieParser => require('set-cookie-parser'),
}
