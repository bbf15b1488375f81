/*
 * Formats of texts, such as `date-time`, `email` and `uuid`, in schemas of requests and in unions. Bundles for workers have them only if they import this module; elsewhere they are always
 * there.
 */
export {}
