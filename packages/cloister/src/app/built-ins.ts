import type { BuiltIns } from '../context/context.ts'
import type { BuiltInMembers } from '../context/decorators.ts'
import { ReplyImpl } from '../request/reply.ts'
import { RequestImpl } from '../request/request.ts'
import { COMMON_METHODS } from '../routes/methods.ts'
import { INSTANCE_PROTOTYPE } from './instance.ts'

/** Shortcuts of the methods that 4.x has shortcuts of. */
const SHORTCUTS_OF_4 = ['delete', 'get', 'head', 'patch', 'post', 'put', 'options', 'trace']

/** Members of apps that 4.x does not have: plugins written for it may bring decorators of these names. */
const OWN_MEMBERS: ReadonlySet<PropertyKey> = new Set([
  'use',
  'cloisterVersion',
  'fetch',
  'addHttpMethod',
  'supportedMethods',
  'getDecorator',
  'schemaErrorFormatter',
  ...COMMON_METHODS.map((method) => method.toLowerCase()).filter((name) => !SHORTCUTS_OF_4.includes(name)),
])

/**
 * What decorators may take the place of. Of an app: what 4.x does not have. Of requests and replies: whatever is no
 * field that the framework sets for each of them.
 */
export const BUILT_INS: BuiltIns = {
  instance: {
    // It only says which plugin brings it.
    has: (name) => name in INSTANCE_PROTOTYPE && name !== 'use',
    isTaken: (name) => name in INSTANCE_PROTOTYPE && !OWN_MEMBERS.has(name),
  },
  request: membersOf(RequestImpl.prototype, ['params', 'body', 'validationError']),
  reply: membersOf(ReplyImpl.prototype, ['request']),
}

function membersOf(prototype: object, fields: readonly PropertyKey[]): BuiltInMembers {
  return {
    has: (name) => name in prototype || fields.includes(name),
    isTaken: (name) => fields.includes(name),
  }
}
