import { SchemaError } from '../errors.ts'

/**
 * What the functions of a feature do until its entry is imported.
 *
 * @throws {@link SchemaError} `FEATURE_MISSING` always
 */
export function missingFeature(feature: string): never {
  throw new SchemaError({
    code: 'FEATURE_MISSING',
    reason: `it needs the feature '${feature}', which bundles with the condition cloister-lean leave out; add import 'cloister/features/${feature}' to the entry of the worker`,
  })
}
