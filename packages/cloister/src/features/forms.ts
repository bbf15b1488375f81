/*
 * Forms (`multipart/form-data` and `application/x-www-form-urlencoded`) that are read by their schema. Bundles for workers have them only if they import this module; elsewhere they are always there.
 */
export {}
