import { addParser, checkParserKey } from '../../body/add-parser.ts'
import { createJsonParser, parseText, withCallback } from '../../body/default-parsers.ts'
import type { Poisoning } from '../../body/default-parsers.ts'
import { createError } from '../../errors.ts'
import type { AnyFunction } from '../../guards.ts'
import { kContext } from '../../symbols.ts'
import { registration } from './members.ts'
import type { ParserMembers } from '../../types/members/parsers.ts'
import type { Members, Refusal } from './members.ts'

const lateCall = <Args extends unknown[]>(method: string): Refusal<Args> => ({
  action: method,
  error: (when) => createError('CTP_INSTANCE_ALREADY_STARTED', { method, when }),
})

/** Body parsers. */
export const parserMembers: Members<keyof ParserMembers> = {
  addContentTypeParser: registration(
    'addContentTypeParser',
    lateCall('addContentTypeParser'),
    (instance, callSite, types: unknown, first: unknown, second?: unknown) =>
      addParser(instance[kContext], callSite, types, first, second),
  ),

  hasContentTypeParser(type: unknown): boolean {
    return this[kContext].parsers.find(checkParserKey(type)) !== null
  },

  removeContentTypeParser: registration(
    'removeContentTypeParser',
    lateCall('removeContentTypeParser'),
    (instance, _callSite, types: unknown) => {
      for (const type of [types].flat()) instance[kContext].parsers.remove(checkParserKey(type))
    },
  ),

  removeAllContentTypeParsers: registration(
    'removeAllContentTypeParsers',
    lateCall('removeAllContentTypeParsers'),
    (instance) => instance[kContext].parsers.removeAll(),
  ),

  /** A JSON parser in the form that `addContentTypeParser` takes. */
  getDefaultJsonParser(onProtoPoisoning?: Poisoning, onConstructorPoisoning?: Poisoning): AnyFunction {
    const { options } = this[kContext].app
    const parse = createJsonParser(
      onProtoPoisoning ?? options.onProtoPoisoning,
      onConstructorPoisoning ?? options.onConstructorPoisoning,
    )
    return withCallback(parse, options.errorCodePrefix)
  },

  get defaultTextParser(): AnyFunction {
    return withCallback(parseText, this[kContext].app.options.errorCodePrefix)
  },
}
