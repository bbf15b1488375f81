/*
 * The keywords `contains`, `propertyNames`, `unevaluatedItems`, `unevaluatedProperties` and `uniqueItems`, and schemas of
 * 2020-12. Bundles for workers have them only if they import this module; elsewhere they are always
 * there.
 */
export {}
