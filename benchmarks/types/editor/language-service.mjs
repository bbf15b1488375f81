// TypeScript 5.9 and 6 as editors use them: the language service, in this process.

import { createRequire } from 'node:module'
import path from 'node:path'
import { isMember } from './editor.mjs'

/**
 * The part of the compiler's interface that is used here.
 *
 * @typedef {{ readonly text: string }} Snapshot
 * @typedef {object} Host
 * @property {() => unknown} getCompilationSettings
 * @property {() => string[]} getScriptFileNames
 * @property {(path: string) => string} getScriptVersion
 * @property {(path: string) => Snapshot | undefined} getScriptSnapshot
 * @property {() => string} getCurrentDirectory
 * @property {(options: unknown) => string} getDefaultLibFileName
 * @property {(path: string) => boolean} fileExists
 * @property {(path: string) => string | undefined} readFile
 * @property {(path: string) => boolean} directoryExists
 * @property {(path: string) => string[]} getDirectories
 * @property {(path: string) => string} realpath
 *
 * @typedef {object} Service
 * @property {(file: string, at: number, options: object) => { entries: { name: string, sortText: string }[] } | undefined} getCompletionsAtPosition
 * @property {(file: string, at: number) => { displayParts?: object[] } | undefined} getQuickInfoAtPosition
 * @property {(file: string) => { messageText: unknown }[]} getSemanticDiagnostics
 * @property {() => void} dispose
 *
 * @typedef {object} Compiler
 * @property {(json: object, folder: string) => { options: unknown, errors: object[] }} convertCompilerOptionsFromJson
 * @property {() => object} createDocumentRegistry
 * @property {(host: Host, documents: object) => Service} createLanguageService
 * @property {(parts: object[] | undefined) => string} displayPartsToString
 * @property {(message: unknown, newLine: string) => string} flattenDiagnosticMessageText
 * @property {(options: unknown) => string} getDefaultLibFilePath
 * @property {{ fromString: (text: string) => Snapshot }} ScriptSnapshot
 * @property {Pick<Host, 'fileExists' | 'readFile' | 'directoryExists' | 'getDirectories' | 'realpath'>} sys
 */

/**
 * A language service on one file. It reads what the file imports from the disk; the file itself need not be there.
 *
 * @param {string} compiler folder of the compiler
 * @param {string} file path of the file
 * @param {object} compilerOptions as a tsconfig.json has them
 * @returns {import('./editor.mjs').Editor}
 */
export function openLanguageService(compiler, file, compilerOptions) {
  /** @type {Compiler} */
  const ts = createRequire(import.meta.url)(compiler)
  const { options, errors } = ts.convertCompilerOptionsFromJson(compilerOptions, path.dirname(file))
  if (errors.length > 0) throw new Error(`compiler options: ${JSON.stringify(errors)}`)
  // The registry keeps the syntax of the files that are imported, in all programs.
  const documents = ts.createDocumentRegistry()
  const current = { text: '', version: 0 }
  const host = hostOf(ts, options, file, current)
  let service = ts.createLanguageService(host, documents)
  const edit = (/** @type {string} */ text) => {
    current.text = text
    current.version++
    return Promise.resolve()
  }
  return {
    open: (text) => {
      const fresh = ts.createLanguageService(host, documents)
      service.dispose()
      service = fresh
      return edit(text)
    },
    edit,
    complete: (at) => {
      const entries = service.getCompletionsAtPosition(file, at, {})?.entries ?? []
      return Promise.resolve(entries.filter(({ sortText }) => isMember(sortText)).map(({ name }) => name))
    },
    hover: (at) =>
      Promise.resolve(ts.displayPartsToString(service.getQuickInfoAtPosition(file, at)?.displayParts)),
    check: () =>
      Promise.resolve(
        service
          .getSemanticDiagnostics(file)
          .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      ),
    cpuMs: () => (process.cpuUsage().user + process.cpuUsage().system) / 1000,
    close: () => Promise.resolve(service.dispose()),
  }
}

/**
 * @param {Compiler} ts
 * @param {unknown} options
 * @param {string} file
 * @param {{ text: string, version: number }} current what the file holds
 * @returns {Host}
 */
function hostOf(ts, options, file, current) {
  /** @type {Map<string, Snapshot>} */
  const snapshots = new Map()
  /** @param {string} name */
  const snapshotOf = (name) => {
    const known = snapshots.get(name)
    const text = known === undefined ? ts.sys.readFile(name) : undefined
    if (text === undefined) return known
    const snapshot = ts.ScriptSnapshot.fromString(text)
    snapshots.set(name, snapshot)
    return snapshot
  }
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(current.version) : '1'),
    getScriptSnapshot: (name) =>
      name === file ? ts.ScriptSnapshot.fromString(current.text) : snapshotOf(name),
    getCurrentDirectory: () => path.dirname(file),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? current.text : ts.sys.readFile(name)),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (name) => (name === file ? name : ts.sys.realpath(name)),
  }
}
