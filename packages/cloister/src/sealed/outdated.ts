import { createError } from '../errors.ts'

/**
 * What a sealed worker does in place of what its start did not do when it was built.
 *
 * @throws `CLO_ERR_BUILD_OUTDATED` always
 */
export function outdated(): never {
  throw createError('BUILD_OUTDATED', {})
}
