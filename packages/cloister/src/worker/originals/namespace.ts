import { namespace as original, type Namespace } from '../../app/namespace.ts'

/** Returns the exports of the package beside the factory. */
export function namespace(): Namespace {
  return original()
}
