import type { compile as compileReplaced } from '../codegen/compile.ts'
import type {
  compileSerializer as compileSerializerReplaced,
  writeSerializer as writeSerializerReplaced,
} from '../serializer/compile.ts'
import type { printErrors as printErrorsReplaced } from '../validator/ajv/print.ts'
import type {
  compileAcceptor as compileAcceptorReplaced,
  writeAcceptor as writeAcceptorReplaced,
} from '../validator/acceptor-code.ts'

/* The build for workers generates no code from strings, and its tiers request none. */

/** Whether code can be generated from strings: workers forbid it. */
export function canCompile(): boolean {
  return false
}

/** @throws TypeError always */
export const compile: typeof compileReplaced = () => forbid()

/** @throws TypeError always */
export const compileSerializer: typeof compileSerializerReplaced = () => forbid()

/** @throws TypeError always */
export const compileAcceptor: typeof compileAcceptorReplaced = () => forbid()

/** @throws TypeError always */
export const writeSerializer: typeof writeSerializerReplaced = () => forbid()

/** @throws TypeError always */
export const writeAcceptor: typeof writeAcceptorReplaced = () => forbid()

/** @throws TypeError always */
export const printErrors: typeof printErrorsReplaced = () => forbid()

function forbid(): never {
  throw new TypeError('the build for workers makes no code of text')
}
