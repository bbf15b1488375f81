/*
 * Exports of the package as properties of the factory, as in `cloister.errorCodes`. Bundles for workers that `cloister build` writes have them only if the app needs them; elsewhere they are always there.
 */
export {}
