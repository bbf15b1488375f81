/*
 * The full messages of errors that are mistakes of an app, and of warnings, and what to do about these mistakes. Bundles
 * for workers have them only if they import this module; elsewhere they are always there.
 */
export {}
