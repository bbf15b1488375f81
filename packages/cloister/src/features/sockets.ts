/*
 * WebSocket routes: `app.ws`. Bundles for workers have them only if they import this module; elsewhere they are always
 * there.
 */
export {}
