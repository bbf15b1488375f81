/*
 * The route option `upgrade`. Bundles for workers have it only if they import this module, as `@cloister/websocket` does;
 * elsewhere it is always there.
 */
export {}
