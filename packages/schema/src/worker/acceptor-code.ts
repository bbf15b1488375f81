import type { compileAcceptor as replaced } from '../validator/acceptor-code.ts'

/** @throws TypeError always: the build for workers makes no code of text, and the tiers ask for none */
export const compileAcceptor: typeof replaced = () => {
  throw new TypeError('the build for workers makes no code of text')
}
