import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Metafile } from 'esbuild'

import { CommandError } from '../session.ts'
import { bundle, type BundleInput } from './bundle.ts'
import type { Bundler } from './load-esbuild.ts'
import { runApp, type Place } from './run-process.ts'

const MISSING = /cloister\/features\/([\w-]+)/
const MAX_ROUNDS = 40

/**
 * Finds the features that an app needs: boots it without any, and adds the one that the boot misses, until it starts.
 * What a request may need, the boot asks for too, because the bundle has no functions made ahead yet.
 *
 * @param entryWith - the text of the entry with some imports
 */
export async function findFeatures(
  bundler: Bundler,
  place: Place,
  input: Omit<BundleInput, 'entry' | 'replaced' | 'idle'>,
  entryWith: (imports: readonly string[]) => string,
): Promise<string[]> {
  const features: string[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const file = path.join(place.scratch, `features-${round}.mjs`)
    const { code, metafile } = await bundle(bundler, {
      ...input,
      entry: entryWith(features),
      replaced: {},
      idle: [],
    })
    await writeFile(file, code)
    const { failure } = await runApp(place, { file, methods: [], overFetch: true, requests: WAKE }, 'the app')
    if (failure === null)
      return (await readsNamespace(metafile, input.from)) ? [...new Set([...features, NAMESPACE])] : features
    const [found = '', name] = MISSING.exec(failure) ?? []
    if (name === undefined || features.includes(found))
      throw new CommandError(1, `the app does not start on the target, so nothing is written:\n${failure}\n`)
    features.push(found)
  }
  throw new CommandError(1, 'the app needs more features than there are\n')
}

const NAMESPACE = 'cloister/features/namespace'

/** The exports of `cloister` as properties of its factory, read one by one or as a pattern. */
const PROPERTIES =
  /\b(?:cloister|fastify)(?:\.default)?\s*\??\.\s*(?:definePlugin|CloisterError|createErrorCodes|errorCodes|LogController|sse)\b|\}\s*=\s*(?:cloister|fastify)\b/

/** Whether a module of the app reads exports of `cloister` as properties of its factory, which a request may do. */
async function readsNamespace({ inputs }: Metafile, folder: string): Promise<boolean> {
  for (const name of Object.keys(inputs)) {
    const text = await readFile(path.resolve(folder, name), 'utf8').catch(() => '')
    if (PROPERTIES.test(text)) return true
  }
  return false
}

/** An app behind `fetch` boots with its first request. */
const WAKE = [
  {
    kind: 'recorded',
    key: 'wake',
    request: { method: 'GET', url: '/', headers: {}, body: null },
    callSite: '',
  },
] as const
