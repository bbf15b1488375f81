import { createError } from '../errors.ts'
import { typeName } from '../guards.ts'

/**
 * Checks the version of a route, for the router and the deprecated option `versioning`.
 *
 * @throws `CLO_ERR_VERSION_CONSTRAINT_NOT_STR`
 */
export function checkVersion(version: unknown): void {
  if (typeof version !== 'string')
    throw createError('VERSION_CONSTRAINT_NOT_STR', { type: typeName(version) })
}
