/*
 * The features that bundles for workers have without an import, except those that `cloister build` writes.
 */
import './constraints.ts'
import './logs.ts'
import './namespace.ts'
import './negotiation.ts'
import './plugins.ts'
import './problems.ts'
