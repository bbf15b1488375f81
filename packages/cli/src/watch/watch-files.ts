import { statSync, watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** A new file of these types may be one that an import was missing. Declarations are generated, not run. */
const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/

/** Editors write a file in several steps, and tools write several files. */
const SETTLE_MS = 40

/** Watches the folders of the files that an app has loaded, to notice editors that write a new file and rename it. */
export class FileWatcher {
  /** The watchers by folder; a recreated folder has another inode. */
  readonly #folders = new Map<string, { readonly watcher: FSWatcher; readonly inode: number }>()
  readonly #files = new Set<string>()
  readonly #changed: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Adds files, as paths or URLs; files of dependencies do not change. */
  add(files: readonly string[]): void {
    for (const one of files) {
      if (one.includes('node_modules') || /^(?!file:)[a-z]{2,}:/.test(one)) continue
      const file = one.startsWith('file:') ? fileURLToPath(one) : one
      this.#files.add(file)
      this.#addFolder(path.dirname(file))
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const { watcher } of this.#folders.values()) watcher.close()
  }

  #addFolder(folder: string): void {
    const inode = statSync(folder, { throwIfNoEntry: false })?.ino
    const known = this.#folders.get(folder)
    if (known !== undefined && known.inode === inode) return
    known?.watcher.close()
    this.#folders.delete(folder)
    if (inode === undefined) {
      // An import may name a folder that does not exist yet, or was deleted: its parent folder reports the change.
      this.#files.add(folder)
      if (path.dirname(folder) !== folder) this.#addFolder(path.dirname(folder))
      return
    }
    const watcher = watch(folder, (_event, name) => {
      if (name !== null && !SOURCE.test(name) && !this.#files.has(path.join(folder, name))) return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(this.#changed, SETTLE_MS)
    })
    // A folder may be deleted.
    watcher.on('error', () => {
      watcher.close()
      this.#folders.delete(folder)
    })
    this.#folders.set(folder, { watcher, inode })
  }
}
