/*
 * Addresses of proxies in the option `trustProxy`. Bundles for workers have them only if they import this module; elsewhere they are
 * always there.
 */
export {}
