import { createError } from '../../errors.ts'
import { builtin } from '../builtin.ts'

const module = builtin('node:stream') ?? {}

/** Takes the part of a stream's class where the platform has no streams of Node: its use is an error with a name. */
class MissingStream {
  constructor() {
    refuse()
  }

  static from(): never {
    return refuse()
  }

  static fromWeb(): never {
    return refuse()
  }

  pipe(): void {}
}

function refuse(): never {
  throw createError('TRANSPORT_UNSUPPORTED', {
    what: 'a stream of Node',
    instead: 'a web stream, or turn on the modules of Node (nodejs_compat)',
  })
}

/** See `node:stream`. */
export const Readable: unknown = module['Readable'] ?? MissingStream
/** See `node:stream`. */
export const Writable: unknown = module['Writable'] ?? MissingStream
/** See `node:stream`. */
export const finished: unknown = module['finished'] ?? refuse
/** See `node:stream`. */
export const PassThrough: unknown = module['PassThrough'] ?? MissingStream
