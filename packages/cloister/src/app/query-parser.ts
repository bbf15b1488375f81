import { lazyModules } from '../lazy-modules.ts'
import type { AppOptions } from '../options/app-options.ts'

/** What reads query strings: the application's parser, or the usual one. */
export function createQueryParser({ querystringParser }: AppOptions): (text: string) => unknown {
  if (querystringParser !== null) return (text) => querystringParser(text)
  const { parse } = lazyModules.fastQuerystring
  return (text) => parse(text)
}
