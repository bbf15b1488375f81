/*
 * The option `problemDetails`. Bundles for workers that `cloister build` writes have it only if the app needs it; elsewhere it is always there.
 */
export {}
