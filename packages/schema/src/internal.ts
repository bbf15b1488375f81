/**
 * What the other packages of Cloister use of the schema engine, for them alone: any release may change it.
 * `scripts/internal.mjs` refuses it in documents, examples and public types.
 */
export { isExactInteger, isInt64, typesOf } from './document/json-types.ts'
export { isKnownFormat } from './document/known-keywords.ts'
export { typesOfRules } from './document/vocabulary.ts'
export { isPlainObject, isSchemaObject, unwrapFluent } from './guards.ts'
export { isNestingError } from './nesting.ts'
export { findCapitalPatterns, lowerHeaderNames } from './normalize/header-names.ts'
export { BodyContent, canonicalMediaType, normalizeRouteSchema } from './normalize/route-schema.ts'
export { findIdleKeywords } from './normalize/idle-keywords.ts'
export { findMisspeltNames } from './normalize/misspelt-names.ts'
export { IN_PLACE } from './document/in-place.ts'
export { instanceKeys, pointerOf, pointerToken } from './document/pointer.ts'
export { findRefusedDefaults } from './normalize/refused-defaults.ts'
export type { SchemaHints } from './store/keys.ts'
export { findUnmatchedValues } from './normalize/unmatched-values.ts'
export { compileExpression } from './regexp/compile.ts'
export { parsePattern, type Part } from './regexp/parse.ts'
export { exactInteger, isExactText } from './runtime/exact-text.ts'
export { jsonText } from './runtime/json-text.ts'
export { remember } from './remember.ts'
export { nearestNames } from './suggest.ts'
