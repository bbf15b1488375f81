import { describe, expect, it } from 'vitest'
import { printError } from '../src/print-error.ts'

function withStack(message: string, frames: readonly string[], extra: object = {}): Error {
  const error = Object.assign(new Error(message), extra)
  error.stack = [`Error: ${message}`, ...frames.map((frame) => `    at ${frame}`)].join('\n')
  return error
}

describe('an error of an app', () => {
  it('is printed without the frames of Node.js, of the framework and of the command', () => {
    const error = withStack('no database', [
      'connect (/app/src/db.js:3:9)',
      'query (/app/node_modules/pg/index.js:1:1)',
      'start (/app/node_modules/cloister/dist/bundle/code.cjs:7691:85)',
      'async attempt (file:///my%20app/node_modules/@cloister/cli/dist/load-app.js:93:16)',
      'Command.parse (C:\\my app\\node_modules\\commander\\lib\\command.js:2:5)',
      'ModuleJob.run (node:internal/modules/esm/module_job:325:25)',
    ])
    expect(printError(error)).toBe(`Error: no database
    at connect (/app/src/db.js:3:9)
    at query (/app/node_modules/pg/index.js:1:1)`)
  })

  it('is printed with its code, once', () => {
    expect(printError(withStack('twice', [], { code: 'CLO_ERR_X' }))).toBe('Error [CLO_ERR_X]: twice')
    const ofNode = withStack('gone', [], { code: 'ERR_GONE' })
    ofNode.stack = 'Error [ERR_GONE]: gone'
    expect(printError(ofNode)).toBe('Error [ERR_GONE]: gone')
  })

  it('is printed with the help that it has in development', () => {
    expect(printError(withStack('twice', [], { help: 'Do it once.' }))).toBe('Error: twice\n\nDo it once.')
  })

  it('keeps every line of its message, and takes what is no error', () => {
    expect(printError(withStack('one\n  at two: node:fs', []))).toBe('Error: one\n  at two: node:fs')
    expect(printError('text')).toBe('text')
  })
})
