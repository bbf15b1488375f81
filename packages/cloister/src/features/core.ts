/*
 * The features that bundles for workers have without an import, except those that `cloister build` writes.
 */
import './namespace.ts'
import './plugins.ts'
