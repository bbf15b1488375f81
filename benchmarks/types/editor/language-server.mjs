// TypeScript 7 as editors use it: the language server of the compiler, spoken to over its standard streams.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMember } from './editor.mjs'
import { connect, member } from './json-rpc.mjs'

// As the protocol numbers them; hints, such as names that nothing uses, have other numbers.
const ERROR = 1

/**
 * A language server with one file open. The folder of the file is written, with a `tsconfig.json` in it: the server
 * reads the options from there.
 *
 * @param {string} compiler folder of the compiler
 * @param {string} file path of the file
 * @param {object} compilerOptions as a tsconfig.json has them
 * @returns {Promise<import('./editor.mjs').Editor>}
 */
export async function openLanguageServer(compiler, file, compilerOptions) {
  const folder = path.dirname(file)
  mkdirSync(folder, { recursive: true })
  const project = { compilerOptions, files: [path.basename(file)] }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(project))
  writeFileSync(file, '')
  /** @type {{ default: () => string }} */
  const { default: executable } = await import(pathToFileURL(path.join(compiler, 'lib/getExePath.js')).href)
  const server = connect(executable(), ['--lsp', '-stdio'], folder)
  await server.request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    // Markdown sets the signature apart from its documentation, which may have code too.
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  })
  server.notify('initialized', {})
  return editorOf(server, pathToFileURL(file).href)
}

/**
 * @param {import('./json-rpc.mjs').Connection} server
 * @param {string} uri
 * @returns {import('./editor.mjs').Editor}
 */
function editorOf(server, uri) {
  const current = { text: '', version: 1 }
  server.notify('textDocument/didOpen', {
    textDocument: { uri, languageId: 'typescript', ...current },
  })
  // Every change of a file is a new program to the server.
  const edit = (/** @type {string} */ text) => {
    current.text = text
    current.version++
    const textDocument = { uri, version: current.version }
    server.notify('textDocument/didChange', { textDocument, contentChanges: [{ text }] })
    return Promise.resolve()
  }
  /** @param {number} at */
  const place = (at) => ({ textDocument: { uri }, position: positionIn(current.text, at) })
  return {
    open: edit,
    edit,
    complete: async (at) => namesIn(await server.request('textDocument/completion', place(at))),
    hover: async (at) => signatureIn(await server.request('textDocument/hover', place(at))),
    check: async () => {
      const response = await server.request('textDocument/diagnostic', { textDocument: { uri } })
      return listIn(response)
        .filter((problem) => member(problem, 'severity') === ERROR)
        .map((problem) => String(member(problem, 'message')))
    },
    cpuMs: server.cpuMs,
    close: async () => {
      await server.request('shutdown')
      server.notify('exit')
      await server.ended
    },
  }
}

/**
 * @param {string} text
 * @param {number} at
 */
function positionIn(text, at) {
  const before = text.slice(0, at)
  return { line: before.split('\n').length - 1, character: at - (before.lastIndexOf('\n') + 1) }
}

/**
 * @param {unknown} response
 * @returns {readonly unknown[]}
 */
function listIn(response) {
  const items = Array.isArray(response) ? response : member(response, 'items')
  return Array.isArray(items) ? items : []
}

/** @param {unknown} response */
function namesIn(response) {
  return listIn(response)
    .filter((item) => isMember(String(member(item, 'sortText') ?? '')))
    .map((item) => String(member(item, 'label')).replace(/\?$/, ''))
}

/** @param {unknown} response */
function signatureIn(response) {
  const text = String(member(member(response, 'contents'), 'value') ?? '')
  return /```\w*\n([^]*?)\n```/.exec(text)?.[1] ?? text
}
