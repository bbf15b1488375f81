/*
 * The full messages of errors that are mistakes of an app, and what to do about these, and of warnings. Bundles for workers have them only if they import this module; elsewhere they are
 * always there.
 */
export {}
