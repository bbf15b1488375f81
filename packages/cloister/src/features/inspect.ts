/*
 * Descriptions of an app: `app.explain` and `app.printPlugins`. Bundles for workers have them only if they import this module; elsewhere they are always there.
 */
import './libraries.ts'
