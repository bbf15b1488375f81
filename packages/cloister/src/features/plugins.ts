/*
 * Plugins: `app.register` and `app.after`. Bundles for workers that `cloister build` writes have them only if the app needs them; elsewhere they are always there.
 */
export {}
