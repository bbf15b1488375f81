/*
 * All features, for a bundle that may be large.
 */
import './expressions.ts'
import './formats.ts'
import './keywords.ts'
import './unions.ts'
