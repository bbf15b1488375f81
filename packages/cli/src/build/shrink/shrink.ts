import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { isTypeScript } from '../../compiler.ts'
import type { Bundle } from '../bundle.ts'
import type { RanSpots } from '../exchange-file.ts'
import { isCore, workerModule } from '../own-modules.ts'
import { ModuleGraph } from './module-graph.ts'
import type { Part, ReadModule } from './parts.ts'
import { SEEN, UNSEEN, withoutSpots, withProbes, type NumberedSpot } from './probes.ts'
import { readModule, type Parse } from './read-module.ts'
import { withoutOptions } from './options.ts'
import { findStartCode } from './start-code.ts'
import { findUnnamed, withoutMembers, type Foreign } from './unnamed-members.ts'

/** What our modules become, by their files. */
export type Texts = ReadonlyMap<string, string>

/** What shrinking an app needs. */
export interface Shrinking {
  /** The text of the entry of the bundle. */
  readonly entry: string
  /** The folder from which it imports. */
  readonly from: string
  /** Bundles the app with other texts of our modules. */
  readonly bundle: (texts: Texts) => Promise<Bundle>
  /** Starts a bundle that has probes and sends it requests. Returns which of them ran. */
  readonly run: (bundle: Bundle) => Promise<RanSpots>
}

/**
 * Leaves out of a sealed bundle what the app does not use: members that nothing names, and what its start has not done.
 * A start that does so later is an error.
 */
export async function shrink(whole: Bundle, shrinking: Shrinking): Promise<Bundle> {
  const { parseSync } = await import('oxc-parser')
  const { bundle, run } = shrinking
  const known = new Map<string, ReadModule>()
  const parse: Parse = (file, text) => parseSync(file, text)
  const read = async (one: Bundle, texts: Texts): Promise<Reading> => {
    const contents = await contentsOf(one, shrinking, texts)
    return readingOf(one, shrinking.from, contents, (file, text) => {
      const before = known.get(file)
      if (before?.text === text) return before
      const module = readModule(file, text, parse)
      known.set(file, module)
      return module
    })
  }
  let texts: Texts = new Map()
  let reading = await read(whole, texts)
  for (let round = 0; round < ROUNDS; round++) {
    texts = withoutUnnamed(reading, texts)
    const { probed, cut } = startOf(await read(await bundle(texts), texts), texts)
    texts = cut(await run(await bundle(probed)))
    reading = await read(await bundle(texts), texts)
  }
  return bundle(await withoutOptions(reading, withoutUnnamed(reading, texts)))
}

/** What nothing reaches any more after a round is found in the next one. */
const ROUNDS = 2

/** A bundle as it is read. */
export interface Reading {
  readonly graph: ModuleGraph
  readonly foreign: Foreign
}

/** Returns the texts of all modules of a bundle. */
async function contentsOf(
  { metafile, texts: replaced }: Bundle,
  { entry, from }: Shrinking,
  texts: Texts,
): Promise<Texts> {
  const files = Object.keys(metafile.inputs).map((name) => path.resolve(from, name))
  const found = files.map(async (file): Promise<[string, string]> => {
    // The entry is no file.
    const text = texts.get(file) ?? replaced.get(file) ?? (await readFile(file, 'utf8').catch(() => entry))
    return [file, text]
  })
  return new Map(await Promise.all(found))
}

const WORD = /[\w$]+/g
function readingOf(
  { metafile }: Bundle,
  from: string,
  contents: Texts,
  read: (file: string, text: string) => ReadModule,
): Reading {
  const [output] = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined)
  const inBundle = new Set(
    Object.entries(output?.inputs ?? {}).flatMap(([name, { bytesInOutput }]) =>
      bytesInOutput > 0 ? path.resolve(from, name) : [],
    ),
  )
  const modules = new Map<string, ReadModule>()
  const sources = new Map<string, string>()
  const words = new Set<string>()
  const imports: string[] = []
  for (const [name, input] of Object.entries(metafile.inputs)) {
    const file = path.resolve(from, name)
    const text = contents.get(file) ?? ''
    const imported = input.imports.map((one) => path.resolve(from, one.path))
    for (const [index, { original }] of input.imports.entries())
      if (original !== undefined) sources.set(`${file} ${original}`, imported[index] ?? '')
    if (isCore(file)) {
      const module = read(file, text)
      // What the bundle has nothing of leads to others by its exports alone.
      modules.set(file, inBundle.has(file) ? module : { ...module, parts: [] })
      continue
    }
    imports.push(...imported.filter(isCore))
    // The texts of enums may be written in other modules, so that the bundle has nothing of theirs.
    if (inBundle.has(file) || isTypeScript(file)) for (const [word] of text.matchAll(WORD)) words.add(word)
  }
  // `await using` calls members that it does not name.
  if (words.has('using')) for (const word of ['asyncDispose', 'dispose']) words.add(word)
  const graph = new ModuleGraph(modules, (file, source) => sources.get(`${file} ${source}`) ?? null)
  return { graph, foreign: { words, imports } }
}

function withoutUnnamed({ graph, foreign }: Reading, texts: Texts): Texts {
  const written = new Map(texts)
  for (const [file, members] of byFile(findUnnamed(graph, foreign)))
    written.set(file, withUnseen(withoutMembers(graph.modules.get(file)?.text ?? '', members), graph))
  return written
}

/** Imports the function that is called in place of what was left out. */
function withUnseen(text: string, graph: ModuleGraph): string {
  if (!text.includes(`${UNSEEN}()`)) return text
  // Its neighbour may not be in the bundle yet.
  const errors = workerModule(graph.modules.keys(), 'errors.js') ?? ''
  const module = path.join(path.dirname(errors), 'sealed', 'outdated.js')
  const head = `import { outdated as ${UNSEEN} } from ${JSON.stringify(module)};\n`
  return text.startsWith(head) ? text : head + text
}

function byFile(parts: readonly Part[]): Map<string, Part[]> {
  const found = new Map<string, Part[]>()
  for (const part of parts) found.set(part.file, [...(found.get(part.file) ?? []), part])
  return found
}

/** The texts with probes in what only a start runs, and what becomes of them when it has run. */
interface ProbedStart {
  readonly probed: Texts
  readonly cut: (ran: RanSpots) => Texts
}

function startOf({ graph, foreign }: Reading, texts: Texts): ProbedStart {
  let count = 0
  const numbered = [...byFile(findStartCode(graph, foreign.words))].map(([file, parts]) => {
    const spots = parts.map(({ spots: own }) => own.map((spot): NumberedSpot => ({ ...spot, id: count++ })))
    return { file, text: graph.modules.get(file)?.text ?? '', spots }
  })
  const probed = new Map(texts)
  for (const { file, text, spots } of numbered) probed.set(file, PROBE + withProbes(text, spots.flat()))
  const cut = ({ start, later }: RanSpots): Texts => {
    const [ran, ranLater] = [new Set(start), new Set(later)]
    const written = new Map(texts)
    for (const { file, text, spots } of numbered) {
      const idle = spots
        .filter((own) => !own.some(({ id }) => ranLater.has(id)))
        .flatMap((own) => own.filter(({ id }) => !ran.has(id)))
      if (idle.length > 0) written.set(file, withUnseen(withoutSpots(text, idle), graph))
    }
    return written
  }
  return { probed, cut }
}

/** `run-app.ts` makes the set of numbers. */
const PROBE = `const ${SEEN} = (id) => globalThis[Symbol.for('cloister.build.spots')].add(id);\n`
