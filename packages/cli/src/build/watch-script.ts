import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import vm from 'node:vm'

/** The script that a module of `asScript` compiles. */
export interface WatchedScript {
  /** Writes the code cache, with the functions that have run up to now. */
  store(): void
}

/**
 * Watches for the script of the module that this process imports next.
 *
 * @param file - for the code cache
 */
export function watchScript(file: string): WatchedScript {
  let found: { readonly script: vm.Script; readonly key: string } | null = null
  class Script extends vm.Script {
    constructor(code: string, options?: vm.ScriptOptions & { readonly cacheKey?: string }) {
      super(code, options)
      if (options?.cacheKey !== undefined) found = { script: this, key: options.cacheKey }
    }
  }
  vm.Script = Script
  syncBuiltinESMExports()
  return {
    store() {
      if (found !== null)
        writeFileSync(file, Buffer.concat([Buffer.from(found.key), found.script.createCachedData()]))
    },
  }
}
