import type { WebStream } from '../exchange/streams.ts'
import { look } from '../foreign.ts'
import { PlatformStream, refuseNodeStream as refuse } from './platform-stream.ts'

/** The part of `process` on platforms with Node's modules. */
interface HostProcess {
  readonly getBuiltinModule?: (name: string) => unknown
}

/**
 * Returns a member of a Node module if the platform has it, as workerd does with the flag `nodejs_compat`; otherwise
 * `undefined`. It is looked up at run time, because an import would fail where it is missing.
 */
function builtin(module: string, member: string): unknown {
  const host: HostProcess | undefined = Reflect.get(globalThis, 'process')
  return look(host?.getBuiltinModule?.(module), member)
}

/**
 * Replaces the stream classes on platforms without Node's streams. The constructor throws a coded error; web streams
 * are read directly.
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

/** See `node:async_hooks`. Without it there is no context to lose. */
export const AsyncResource: unknown = builtin('node:async_hooks', 'AsyncResource') ?? {
  bind: (fn: unknown) => fn,
}

/*
 * Tracing tools that subscribe to the framework's channels run on Node only. Platforms with the module forbid
 * publishing while a script loads, which is when apps are created.
 */
const SILENT = { hasSubscribers: false, publish: (): void => {} }

/** See `node:diagnostics_channel`. */
export const channel = (): typeof SILENT => SILENT

/** See `node:diagnostics_channel`. */
export const tracingChannel = (): typeof SILENT => SILENT

/** The methods of Node's HTTP parser, which routes may have. Platforms forward most of them. */
export const METHODS: readonly string[] = (
  'ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY ' +
  'OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK ' +
  'UNLOCK UNSUBSCRIBE'
).split(' ')

/** Returns the folder of a file. Stacks of workers have paths with slashes. */
export function dirname(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf('/'), 0))
}

/** Returns the path of a file URL. */
export function fileURLToPath(url: string): string {
  return decodeURIComponent(new URL(url).pathname)
}
