#!/usr/bin/env node
import module from 'node:module'

// Node 22.8 and later keep compiled code for the next start, in the folder for temporary files.
const enableCompileCache: unknown = Reflect.get(module, 'enableCompileCache')
if (typeof enableCompileCache === 'function') Reflect.apply(enableCompileCache, module, [])

const [{ runMain }, { runIn }] = await Promise.all([import('./run-program.ts'), import('./run.ts')])
await runMain(runIn)
