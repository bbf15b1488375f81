/*
 * What `cloister/inspect` lets plugins do with requests: observers and preset headers. It imports this module. Bundles for workers have them only if they import that; elsewhere they are always there.
 */
export {}
