import path from 'node:path'
import { fileURLToPath } from 'node:url'

const PLACE = /(?:at |\()((?:file:\/\/)?\/[^():]+):(\d+):\d+\)?$/

/** Returns the file and line of the test that calls; empty if the stack does not tell. */
export function callerOf(): string {
  const lines = new Error('where').stack?.split('\n').slice(2) ?? []
  for (const line of lines) {
    const [, file = '', row = ''] = PLACE.exec(line) ?? []
    if (file === '' || file.includes('/node_modules/') || isOurs(file)) continue
    const full = file.startsWith('file://') ? fileURLToPath(file.split('?')[0] ?? file) : file
    return `${path.relative(process.cwd(), full)}:${row}`
  }
  return ''
}

/** This command, where it is not installed but linked. */
const isOurs = (file: string): boolean => /\/packages\/cli\/(src|dist)\//.test(file)
