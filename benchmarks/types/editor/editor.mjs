// What both kinds of language tooling can be asked, in the terms of a test.

/**
 * One file in an editor. Positions count characters from the start of the text.
 *
 * @typedef {object} Editor
 * @property {(text: string) => Promise<void>} open puts a text into the file, in a program that has checked nothing
 * @property {(text: string) => Promise<void>} edit replaces the text, as typing does
 * @property {(at: number) => Promise<readonly string[]>} complete the members that are offered at a position
 * @property {(at: number) => Promise<string>} hover what is shown for the name at a position
 * @property {() => Promise<readonly string[]>} check checks the whole file; gives the messages of its problems
 * @property {() => number} cpuMs milliseconds of CPU that were spent so far, by all threads
 * @property {() => Promise<void>} close
 */

/**
 * Whether an entry of a completion list belongs to the place. The compiler sorts its entries by such a text:
 * members come before globals, keywords and names of other modules. Those are offered where it knows nothing.
 *
 * @param {string} sortText
 */
export function isMember(sortText) {
  return sortText.replace(/^z/, '') < '15'
}
