import type { WebStream } from '../exchange/streams.ts'
import { look } from '../foreign.ts'
import { PlatformStream, refuseNodeStream as refuse } from './platform-stream.ts'

/** The part of `process` that platforms with modules of Node have. */
interface HostProcess {
  readonly getBuiltinModule?: (name: string) => unknown
}

/**
 * Returns a member of a module of Node where the platform has it, as workerd with the flag `nodejs_compat`; else
 * `undefined`. It is asked for at run time, because an import would fail where it is missing.
 */
function builtin(module: string, member: string): unknown {
  const host: HostProcess | undefined = Reflect.get(globalThis, 'process')
  return look(host?.getBuiltinModule?.(module), member)
}

/**
 * Replaces the stream classes on platforms without the streams of Node: to make one is an error with a name, and a web
 * stream is read as it is.
 */
class MissingStream {
  constructor() {
    refuse()
  }

  static from(): never {
    return refuse()
  }

  static fromWeb(source: WebStream): PlatformStream {
    return new PlatformStream(source)
  }

  pipe(): void {}
}

/** See `node:stream`. */
export const Readable: unknown = builtin('node:stream', 'Readable') ?? MissingStream
/** See `node:stream`. */
export const finished: unknown = builtin('node:stream', 'finished') ?? refuse
/** See `node:stream`. */
export const PassThrough: unknown = builtin('node:stream', 'PassThrough') ?? MissingStream

/** See `node:async_hooks`; without it there is no context that could be lost. */
export const AsyncResource: unknown = builtin('node:async_hooks', 'AsyncResource') ?? {
  bind: (fn: unknown) => fn,
}

/*
 * The tracing tools that subscribe to the channels of the framework are those of Node. Where a platform has the module,
 * publishing is forbidden while a script loads, which is when apps are made.
 */
const SILENT = { hasSubscribers: false, publish: (): void => {} }

/** See `node:diagnostics_channel`. */
export const channel = (): typeof SILENT => SILENT

/** See `node:diagnostics_channel`. */
export const tracingChannel = (): typeof SILENT => SILENT

/** The methods of Node's HTTP parser, which routes may have; platforms pass on most of them. */
export const METHODS: readonly string[] = (
  'ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY ' +
  'OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK ' +
  'UNLOCK UNSUBSCRIBE'
).split(' ')

/** Returns the folder of a file; the paths in stacks of workers have slashes. */
export function dirname(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf('/'), 0))
}

/** Returns the path in a URL of a file. */
export function fileURLToPath(url: string): string {
  return decodeURIComponent(new URL(url).pathname)
}
