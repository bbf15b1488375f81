import type { compileSerializer as replaced } from '../serializer/compile.ts'

/** @throws TypeError always: the build for workers makes no code of text, and the tiers ask for none */
export const compileSerializer: typeof replaced = () => {
  throw new TypeError('the build for workers makes no code of text')
}
