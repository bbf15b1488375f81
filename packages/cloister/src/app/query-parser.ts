import { createError } from '../errors.ts'
import { isLate } from '../guards.ts'
import { dependencies } from '../dependencies.ts'
import type { AppOptions } from '../options/app-options.ts'

/** Returns the parser of query strings: the application's, or the default one. */
export function createQueryParser({ querystringParser }: AppOptions): (text: string) => unknown {
  if (querystringParser !== null) {
    return (text) => {
      const query = querystringParser(text)
      if (isLate(query)) throw createError('CALLBACK_NOT_SYNC', { name: 'querystringParser' })
      return query
    }
  }
  const { parse } = dependencies.fastQuerystring
  return (text) => parse(text)
}
