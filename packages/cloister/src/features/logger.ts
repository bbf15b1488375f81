/*
 * The logger of workers: the option `logger`. Bundles for workers have them only if they import this module;
 * elsewhere they are always there.
 */
import './logs.ts'
