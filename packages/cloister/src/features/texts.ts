/*
 * The full messages of errors that are mistakes of an app, and of warnings, what to do about these mistakes, and the
 * warnings about paths and schemas of routes. Bundles for workers have them only if they import this module; elsewhere
 * they are always there.
 */
export {}
