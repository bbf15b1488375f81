import { createRequire } from 'node:module'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Response as InjectResponse } from 'light-my-request'

/*
 * CommonJS libraries and modules of Node, loaded with `require`: optional ones on first use, the others with the
 * module that uses them. `import` is slower, because Node first searches CommonJS sources for named exports.
 *
 * Each call of `require` has its name written out, and the build replaces this `require` by the one of CommonJS: so
 * bundlers find the libraries.
 */
const require: RequireOwn = createRequire(import.meta.url)

/** `require`, of a module that the caller knows. */
type RequireOwn = <Module>(name: string) => Module

/** A module of `negotiator`: what of the available values a field of the request accepts, the best first. */
export type Preferred = (field: string | undefined, available: string[]) => string[]

/** The part of `set-cookie-parser` that is used. */
export interface SetCookieParser {
  parse(response: { readonly headers: OutgoingHttpHeaders }): InjectResponse['cookies']
}

/** The part of pino that is used; its own types want serializers whose arguments are `any`. */
export interface PinoModule {
  pino(options: object, stream?: object): unknown
  destination(options: { readonly dest: string; readonly maxLength: number }): object
}

/** A WebSocket of `ws`, as far as it is used. */
export interface WebSocketConnection {
  readonly bufferedAmount: number
  readonly protocol: string
  readonly isPaused: boolean
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): void
  on(event: 'pong', listener: () => void): void
  on(event: 'error', listener: (error: Error & { readonly code?: string }) => void): void
  on(event: 'close', listener: (code: number, reason: Buffer) => void): void
  send(data: string, written: (error?: Error | null) => void): void
  ping(): void
  pause(): void
  resume(): void
  close(code?: number, reason?: string): void
  terminate(): void
}

/** The part of `ws` that is used. */
export interface WebSocketModule {
  readonly WebSocketServer: new (options: {
    readonly noServer: true
    readonly clientTracking: false
    readonly maxPayload: number
    readonly closeTimeout: number
    readonly handleProtocols: (offered: ReadonlySet<string>) => string | false
  }) => {
    on(event: 'headers', listener: (lines: string[]) => void): void
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      callback: (socket: WebSocketConnection) => void,
    ): void
  }
}

/** A parser of `@fastify/busboy`, as far as it is used. */
export interface FormParser {
  /** bytes that were written and await parsing */
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
  /** @returns false where `drain` comes before more can be taken */
  write(chunk: Uint8Array): boolean
  end(): void
}

/** The stream of a file, as the parser of forms gives it. */
export interface FileSource {
  on(event: 'data', listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown
  on(event: 'end', listener: () => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  pause(): unknown
  resume(): unknown
}

/** The part of `@fastify/busboy` that is used. */
export type FormParserClass = new (options: {
  readonly headers: { readonly 'content-type': string }
  readonly isPartAFile: (name: unknown, type: unknown, filename: unknown) => boolean
  readonly limits: Readonly<Record<'fieldSize' | 'parts' | 'headerPairs' | 'headerSize', number>>
}) => FormParser

/** Loads a library, when it is called first. */
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
  ws: (): WebSocketModule => require('ws'),
}
