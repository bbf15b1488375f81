import { createError } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import type { NodeAccess } from './node-access.ts'

/**
 * Returns the access to Node's objects of an exchange.
 *
 * @param member - what the application asked for, for the error
 * @throws `CLO_ERR_RAW_UNAVAILABLE` where the transport has none
 */
export function nodeOf(exchange: Exchange, member: string): NodeAccess {
  if (exchange.node === null) throw createError('RAW_UNAVAILABLE', { member })
  return exchange.node
}

/** Returns the access to Node's objects, where the application has taken the raw response; else `null`. */
export function takenNode({ node }: Exchange): NodeAccess | null {
  return node !== null && node.isTaken ? node : null
}
