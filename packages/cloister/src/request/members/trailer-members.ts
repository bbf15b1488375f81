import { createError } from '../../errors.ts'
import { isFunction } from '../../functions.ts'
import { kExchange, kTrailers } from '../../symbols.ts'
import type { ReplyFields } from '../state.ts'
import { checkTrailer } from './trailers.ts'

/** The members of a reply about its trailers. */
export interface TrailerMembers {
  trailer(name: string, fn: unknown): this
  hasTrailer(name: string): boolean
  removeTrailer(name: string): this
}

/** Puts the trailers of a reply into its table, which is made for the first. */
export const trailerMembers: TrailerMembers & ThisType<ReplyFields & TrailerMembers> = {
  trailer(name, fn) {
    const key = checkTrailer(name, fn)
    if (!this[kExchange].protocol.hasTrailers) {
      throw createError('TRANSPORT_UNSUPPORTED', {
        what: 'reply.trailer',
        instead: 'a header or the content',
      })
    }
    if (isFunction(fn)) (this[kTrailers] ??= new Map()).set(key, fn)
    return this
  },

  hasTrailer(name) {
    return this[kTrailers]?.has(name.toLowerCase()) ?? false
  },

  removeTrailer(name) {
    const trailers = this[kTrailers]
    trailers?.delete(name.toLowerCase())
    if (trailers?.size === 0) this[kTrailers] = null
    return this
  },
}
