/**
 * The functions that generated code calls. Their names are part of generated modules: a function keeps its name and
 * its parameters. No name ends in a digit, because the variables of generated code do.
 */
export { hasOwn, isArray, plainPrototype, prototypeOf } from './containers.ts'
export { createCoercer, createFiniteCoercer, REFUSED } from './coerce.ts'
export {
  areIntegers,
  areNumbers,
  areStrings,
  compatArray,
  compatObject,
  isSameJson,
  ownObject,
  strictArray,
  strictObject,
  strictOwnObject,
} from './containers.ts'
export { compatDateText, createDateWriter, strictDateText } from './dates.ts'
export { createDecisions, decideOnce } from './decisions.ts'
export { misfit, missing, refuse } from './describe.ts'
export { prefixPointer } from './errors.ts'
export { formatChecker, formatRule } from './formats.ts'
export { createJsonView, anyDate } from './json-view.ts'
export { createGroupFinder } from './key-groups.ts'
export { codePointLength } from './measures.ts'
export { isConstant, isOneOf } from './literals.ts'
export { isMultipleOf } from './measures.ts'
export { createShapes, pickBranch } from './pick.ts'
export { anyValue, anyValueOrNull, projectable, putProperty } from './projection.ts'
export { DELETED, replay } from './replay.ts'
export {
  ceilInteger,
  compatBoolean,
  compatNumber,
  compatNumberText,
  compatText,
  floorInteger,
  isTextObject,
  roundInteger,
  strictBoolean,
  strictInteger,
  strictNull,
  strictNumber,
  strictNumberText,
  strictText,
  truncInteger,
  unwrap,
  unwrapText,
} from './scalars.ts'
export { anyText, compatStringText, escapeText, itemText, nativeText, strictStringText } from './text.ts'
export { compileExpression } from '../regexp/compile.ts'
export { allDistinct, allScalarsDistinct, areDistinct } from './unique.ts'
