import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { CommandError } from './session.ts'
import type { Session } from './session.ts'

/** A file that a command generates from an app. */
export interface WrittenFile {
  /** Its path, as the user gave it. */
  readonly file: string
  readonly text: string
  /** The command that writes it, for messages. */
  readonly command: string
}

/** Writes a file, unless it is up to date. */
export async function writeTo({ file, text }: WrittenFile, session: Session): Promise<void> {
  const target = path.resolve(session.folder, file)
  if ((await readIfThere(target)) === text) {
    session.out(`${file} is up to date\n`)
    return
  }
  try {
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, text)
  } catch (error) {
    throw new CommandError(3, `${file} cannot be written: ${messageOf(error)}\n`, error)
  }
  session.out(`wrote ${file}\n`)
}

/** Fails if a file differs from what the command would write. */
export async function checkWritten({ file, text, command }: WrittenFile, session: Session): Promise<void> {
  const found = await readIfThere(path.resolve(session.folder, file))
  if (found === text) {
    session.out(`${file} is up to date\n`)
    return
  }
  session.exit(1)
  const reason =
    found === null ? 'does not exist' : `differs from the app in line ${firstDifference(found, text)}`
  session.err(`cloister: ${file} ${reason}; write it with: ${command}\n`)
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new CommandError(3, `${file} cannot be read: ${messageOf(error)}\n`, error)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function firstDifference(one: string, other: string): number {
  const [lines, others] = [one.split('\n'), other.split('\n')]
  const index = lines.findIndex((line, at) => line !== others[at])
  return (index === -1 ? lines.length : index) + 1
}
