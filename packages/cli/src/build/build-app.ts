import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { CommandError } from '../session.ts'
import { asScript, storeCodeCache } from './code-cache.ts'
import { bundle, shorten, type Bundle, type BundleInput } from './bundle.ts'
import type { Difference } from '../exchanges/compare-responses.ts'
import type { RunExchange, RunReport, SeenRoute } from './exchange-file.ts'
import { findFeatures } from './features.ts'
import { loadEsbuild, type Bundler } from './load-esbuild.ts'
import { prove, type Proof } from './prove.ts'
import { leftOut } from './idle-packages.ts'
import { assertOutput, modulesOf, writeOutput } from './output.ts'
import { ADVICE, featuresOfOpen, featuresOfSealed, findRunTimeSchemas, modulesOfSealed } from './seal.ts'
import { printCallSite } from '../text.ts'
import { record, type Recording } from './record.ts'
import { runApp, type Place } from './run-process.ts'
import { shrink } from './shrink/shrink.ts'
import { entryOf, TARGETS, type TargetName } from './targets.ts'

/** What is built, for what. */
export interface BuildOptions {
  /** The file of the app. */
  readonly file: string
  readonly target: TargetName
  /** The file to write. */
  readonly out: string
  readonly external: readonly string[]
  /** Whether the build may leave out what reads, checks and compiles schemas. */
  readonly seals: boolean
  /** Whether Node gets a code cache beside the file. */
  readonly codeCache: boolean
  /** Methods whose handlers run while the app is compared. */
  readonly methods: readonly string[]
  /** Recorded requests to compare besides. */
  readonly requests: readonly RunExchange[]
}

/** What a build has found, and written if there is no difference. */
export interface BuildResult extends Recording {
  readonly bundle: Bundle
  readonly features: readonly string[]
  readonly proof: Proof
  readonly routes: readonly SeenRoute[]
  /** What the framework warned of when the app started. */
  readonly warnings: readonly string[]
  /** Why it is not sealed; `null` if it is, or was not wanted. */
  readonly unsealed: string | null
  /** Why Node can have no code cache for it; `null` if it can, or is not to have one. */
  readonly uncached: string | null
  /** The bytes of the code cache; 0 without one. */
  readonly cacheSize: number
}

/** Whether a build takes schemas that it has not seen: only an open one does. */
type BuildForm = 'sealed' | 'open'

/** Builds an app, compares it with itself, and writes it if nothing differs. */
export async function buildApp(options: BuildOptions, folder: string): Promise<BuildResult> {
  await assertOutput(options.out, [options.file])
  const bundler = await loadEsbuild(folder)
  const into = path.dirname(options.out)
  const made = await mkdir(into, { recursive: true })
  // Beside the output, so that packages which stay imports are found.
  const scratch = await mkdtemp(path.join(into, '.cloister-build-'))
  let isWritten = false
  try {
    const build = new Build(options, bundler, { folder, scratch })
    const result = await build.run()
    if (result.proof.differences.length > 0) return result
    await assertOutput(options.out, modulesOf(result.bundle, path.dirname(options.file)))
    await writeOutput(options.out, result.bundle)
    isWritten = true
    return result.uncached === null ? { ...result, ...(await build.cache()) } : result
  } finally {
    await rm(isWritten || made === undefined ? scratch : made, { recursive: true, force: true })
    await rm(builtIn(scratch), { force: true })
  }
}

/** In the folder of the output: modules find files by their place relative to it. */
function builtIn(scratch: string): string {
  return `${scratch}.mjs`
}

function shortDifference({ exchange, changes }: Difference): string {
  const { method, url } = exchange.request
  return `${method} ${url} (${changes.map(({ what, before, after }) => `${what}: ${before} became ${after}`).join(', ')})`
}

/** An open build may be written. */
function withoutOutcome(message: string): string {
  return message.replace(/^nothing is written, because |, so nothing is written(?=:)/, '').trim()
}

class Build {
  readonly #options: BuildOptions
  readonly #bundler: Bundler
  readonly #place: Place
  #sent: readonly RunExchange[] = []

  constructor(options: BuildOptions, bundler: Bundler, place: Place) {
    this.#options = options
    this.#bundler = bundler
    this.#place = place
  }

  async run(): Promise<BuildResult> {
    const { file, target, external, methods } = this.#options
    const { hasNode } = TARGETS[target]
    const first = await this.#runUnbuilt()
    const { form, routes, takesSockets, warnings } = first
    if (form === null) throw new CommandError(3, `${file} makes no app\n`)
    // Without Node's channels no handler can be replaced, so what would reach one is not sent.
    const sent = first.exchanges.filter(({ isStandIn }) => hasNode || !isStandIn)
    this.#sent = sent
    const second = await this.#runUnbuilt(sent)
    const recording = await record(this.#bundler, this.#place, {
      file,
      form,
      external,
      methods,
      requests: sent,
    })
    const input = this.#input()
    const entryWith = (imports: readonly string[]): string =>
      entryOf(`./${path.basename(file)}`, form, TARGETS[target], imports, takesSockets)
    const needed = hasNode ? [] : await findFeatures(this.#bundler, this.#place, input, entryWith)
    // A worker has no folder of packages.
    const idle = hasNode ? recording.idle : []
    const attempt = async (form: BuildForm, features: readonly string[]): Promise<BuildResult> => {
      const entry = entryWith(features)
      const replaced = await this.#modulesOf(form, recording, routes, hasNode ? null : features)
      const given = { ...input, entry, replaced, idle }
      const whole = await bundle(this.#bundler, given)
      const module = form === 'sealed' && !hasNode ? await this.#shrink(whole, given, sent) : whole
      const { code, problem } = this.#isCached
        ? await asScript(module.code, this.#options.out)
        : { code: module.code, problem: null }
      const bundled = { ...module, code }
      const proof = prove(sent, second.exchanges, (await this.#runBuilt(bundled, sent)).exchanges)
      const own = {
        bundle: bundled,
        features,
        proof,
        routes,
        warnings,
        unsealed: null,
        uncached: problem,
        cacheSize: 0,
      }
      return { ...recording, idle: leftOut(idle, bundled.metafile), ...own }
    }
    const attemptWithTexts = async (form: BuildForm, features: readonly string[]): Promise<BuildResult> => {
      const result = await attempt(form, features)
      // Lean workers say less about mistakes of the app.
      return hasNode || result.proof.differences.length === 0
        ? result
        : attempt(form, [...features, 'cloister/features/texts'])
    }
    const { result, problem } = await this.#attemptSealed(recording, hasNode ? 0 : second.idle, () =>
      attemptWithTexts('sealed', featuresOfSealed(needed, recording.table)),
    )
    return (
      result ?? {
        ...(await attemptWithTexts('open', hasNode ? [] : featuresOfOpen(needed))),
        unsealed: problem,
      }
    )
  }

  get #isCached(): boolean {
    return this.#options.codeCache && TARGETS[this.#options.target].hasCodeCache
  }

  /** Writes the code cache of the written file, if it is to have one. */
  async cache(): Promise<Pick<BuildResult, 'uncached' | 'cacheSize'>> {
    const { out: file, methods, target } = this.#options
    if (!this.#isCached) return { uncached: null, cacheSize: 0 }
    return storeCodeCache(this.#place, { file, methods, overFetch: target !== 'node' }, this.#sent)
  }

  /**
   * Seals an app whose schemas are all known, and checks it; otherwise returns why it is not sealed.
   *
   * @param idle - how many apps of a worker no request has started
   */
  async #attemptSealed(
    recording: Recording,
    idle: number,
    attempt: () => Promise<BuildResult>,
  ): Promise<{ readonly result?: BuildResult; readonly problem: string | null }> {
    if (!this.#options.seals) return { problem: null }
    const [skipped] = recording.skipped
    if (skipped !== undefined)
      return { problem: `the ${skipped.part} of ${skipped.method} ${skipped.url} is compiled at the start` }
    if (idle > 0)
      return {
        problem: 'one of its apps got no request, so its start is not known; --requests adds requests',
      }
    try {
      const result = await attempt()
      const user = await findRunTimeSchemas(result.bundle.metafile, path.dirname(this.#options.file))
      if (user !== null) return { problem: `${user} compiles schemas while the app runs` }
      const [first] = result.proof.differences
      if (first !== undefined)
        return { problem: `a sealed build responds differently to ${shortDifference(first)}` }
      return { result, problem: null }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      return { problem: `a sealed build cannot be made: ${withoutOutcome(error.message)}` }
    }
  }

  /** Leaves out of a sealed worker what the app does not use. */
  #shrink(whole: Bundle, input: BundleInput, requests: readonly RunExchange[]): Promise<Bundle> {
    const { entry, from } = input
    return shrink(whole, {
      entry,
      from,
      bundle: (texts) => bundle(this.#bundler, { ...input, texts }),
      run: async (probed) => (await this.#runBuilt(probed, requests)).ran,
    })
  }

  /** The modules of our packages that are replaced. */
  async #modulesOf(
    form: BuildForm,
    { table }: Recording,
    routes: readonly SeenRoute[],
    features: readonly string[] | null,
  ): Promise<Record<string, string>> {
    const advice = features === null ? {} : ADVICE
    if (form === 'open') return { ...advice, 'ahead/built.js': await shorten(this.#bundler, table.text) }
    const { folder } = this.#place
    const places = routes.map(({ method, url, callSite }) => [
      `${method} ${url}`,
      printCallSite(callSite, folder),
    ])
    const text = `const ROUTES = ${JSON.stringify(Object.fromEntries(places))}\n${table.sealed}`
    return { ...advice, ...modulesOfSealed(table, await shorten(this.#bundler, text), features) }
  }

  #input(): Omit<BundleInput, 'entry' | 'replaced' | 'idle'> {
    const { file, target, external, out } = this.#options
    return { from: path.dirname(file), target: TARGETS[target], external, out }
  }

  async #runUnbuilt(requests?: readonly RunExchange[]): Promise<RunReport> {
    const { file, methods, target, requests: recorded } = this.#options
    const order = {
      file,
      methods,
      overFetch: target !== 'node',
      ...(requests === undefined ? {} : { requests }),
    }
    const found = await runApp(this.#place, order, file)
    if (found.failure !== null)
      throw new CommandError(3, `the app of ${file} cannot be loaded: ${found.failure}\n`)
    if (requests !== undefined || recorded.length === 0) return found
    const again = await runApp(this.#place, { ...order, requests: recorded }, file)
    return { ...found, exchanges: [...found.exchanges, ...again.exchanges] }
  }

  async #runBuilt({ code }: Bundle, requests: readonly RunExchange[]): Promise<RunReport> {
    const { methods, target } = this.#options
    const file = builtIn(this.#place.scratch)
    await writeFile(file, code)
    const order = { file, methods, requests, overFetch: target !== 'node' }
    const report = await runApp(this.#place, order, 'the built app')
    const { failure } = report
    if (failure !== null)
      throw new CommandError(1, `the built app does not start, so nothing is written:\n${failure}\n`)
    return report
  }
}
