import { SchemaError } from '../errors.ts'
import { adviceFor } from './feature-advice.ts'

/**
 * What the functions of a feature do until its entry is imported.
 *
 * @throws {@link SchemaError} `FEATURE_MISSING` always
 */
export function missingFeature(feature: string): never {
  throw new SchemaError({
    code: 'FEATURE_MISSING',
    reason: `it needs the feature '${feature}', ${adviceFor(feature)}`,
  })
}
