import { createError } from '../errors.ts'
import { adviceFor } from './feature-advice.ts'

/**
 * What the functions of a feature do until its entry is imported.
 *
 * @throws `CLO_ERR_FEATURE_MISSING` always
 */
export function missingFeature(feature: string): never {
  throw createError('FEATURE_MISSING', { feature, advice: adviceFor(feature) })
}
