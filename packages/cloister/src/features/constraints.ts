/*
 * Constraints of routes: by version and by host. Bundles for workers that `cloister build` writes have them only if the app needs them; elsewhere they are always there.
 */
export {}
