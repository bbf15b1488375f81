/**
 * What `@cloister/migrate` uses of the command line, for it alone: any release may change it. Its recorder loads this
 * in the processes of other projects: it must load neither the framework nor a parser.
 */
export { compilerBeside } from './compiler.ts'
export type { Program } from './command-line.ts'
export { isObject, listOf, objectOf, textOf } from './diff/json.ts'
export type { Json } from './diff/json.ts'
export { checkDifferences } from './doctor/differences.ts'
export type { Finding } from './doctor/finding.ts'
export { callOf, isFunctionNode, isNode, nameOf, nodesOf } from './doctor/syntax.ts'
export type { SyntaxNode } from './doctor/syntax.ts'
export { framesHere, ownFrames } from './exchanges/call-site.ts'
export { compareRuns } from './exchanges/compare-responses.ts'
export type { Change, Comparison, Difference } from './exchanges/compare-responses.ts'
export { drawRequests } from './exchanges/draw-requests.ts'
export type { DrawnRequest } from './exchanges/draw-requests.ts'
export type { DrawnRoute, Exchange, Failure, SeenResponse, SentRequest } from './exchanges/exchange.ts'
export {
  callMethod,
  drawnRoutesOf,
  isFunction,
  jsonCopy,
  readResponse,
  readyInsteadOfListening,
} from './exchanges/watch-app.ts'
export type { AnyFunction } from './exchanges/watch-app.ts'
export { findApp } from './find-app.ts'
export { ALIAS, installCommand, keptFastify, managerOf } from './package-manager.ts'
export type { Manager } from './package-manager.ts'
export { collectOutcome, runMain, runProgram } from './run-program.ts'
export type { Outcome } from './run-program.ts'
export { CommandError } from './session.ts'
export type { ExitCode, Place, Session } from './session.ts'
export { readSources } from './source-files.ts'
export { toJson } from './text.ts'
