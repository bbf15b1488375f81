/*
 * Exact input: the options `bodyText`, `duplicateNames` and `integers`, so also `strict: true`. Bundles for workers have them only if they import this module;
 * elsewhere they are always there.
 */
export {}
