/*
 * The option `strict: 'report'`. Bundles for workers have it only if they import this module; elsewhere it is always there.
 */
import './exact.ts'
import './libraries.ts'
