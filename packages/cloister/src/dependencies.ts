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
    on(event: 'headers', listener: (lines: string[], request: object) => void): void
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

/** Each library, loaded when it is first read. */
export const dependencies = {
  get Busboy(): FormParserClass {
    return require('@fastify/busboy')
  },
  get dns(): typeof import('node:dns/promises') {
    return require('node:dns/promises')
  },
  get fastQuerystring(): typeof import('fast-querystring').default {
    return require('fast-querystring')
  },
  get http2(): typeof import('node:http2') {
    return require('node:http2')
  },
  get https(): typeof import('node:https') {
    return require('node:https')
  },
  get lightMyRequest(): typeof import('light-my-request').default {
    return require('light-my-request')
  },
  get pino(): PinoModule {
    return require('pino')
  },
  get preferredLanguages(): Preferred {
    return require('negotiator/lib/language.js')
  },
  get preferredMediaTypes(): Preferred {
    return require('negotiator/lib/mediaType.js')
  },
  get proxyAddr(): Pick<typeof import('@fastify/proxy-addr'), 'compile'> {
    return require('@fastify/proxy-addr')
  },
  get safeRegex(): typeof import('safe-regex2').default {
    return require('safe-regex2')
  },
  get secureJsonParse(): typeof import('secure-json-parse') {
    return require('secure-json-parse')
  },
  get semver(): typeof import('semver') {
    return require('semver')
  },
  get setCookieParser(): SetCookieParser {
    return require('set-cookie-parser')
  },
  get ws(): WebSocketModule {
    return require('ws')
  },
}
