/*
 * Schemas of other libraries (Standard Schema), such as those of Zod, Valibot and ArkType. Bundles for workers have them only if they import this module; elsewhere they are always there.
 */
export {}
