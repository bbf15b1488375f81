/*
 * Loggers that an app is given, and errors of an app without one. Bundles for workers that `cloister build` writes have them only if the app needs them; elsewhere they are always there.
 */
export {}
