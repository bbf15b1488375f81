/*
 * Integers of 64 bits: the option `integers: 'bigint'`. Bundles for workers have them only if they import this module;
 * elsewhere they are always there.
 */
import './exact.ts'
