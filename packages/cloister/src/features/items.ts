/*
 * Streams of items: handlers that are generators, and bodies with an item in each line. Bundles for workers have them only if they import this module; elsewhere they are always there.
 */
import './negotiation.ts'
