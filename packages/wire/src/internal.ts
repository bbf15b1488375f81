/**
 * What the framework uses of the engine and of Node's objects, for it alone: any release may change it.
 * `scripts/internal.mjs` refuses it in documents, examples and public types.
 */
export { progressOf } from './connection/deadlines.ts'
export { whyNot } from './lanes/why-not.ts'
export { cutResponse, failRequest } from './raw/cut.ts'
export { NodeWriter } from './raw/node-writer.ts'
export { noteEnd, sendByNode, turnOf } from './raw/send-by-node.ts'
