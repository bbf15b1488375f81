/*
 * The keywords `anyOf`, `oneOf` and `if` of schemas. Bundles for workers have them only if they import this module; elsewhere they are always
 * there.
 */
import '@cloister/schema/features/unions'
