/*
 * Regular expressions that may take more than linear time, and are run by automata. Bundles for workers have them only if they import this module; elsewhere they are always
 * there.
 */
export {}
