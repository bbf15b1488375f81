import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import type { BuildFailure, Metafile, OnLoadResult, Plugin } from 'esbuild'

import { CommandError } from '../session.ts'
import { leaveOut } from './idle-packages.ts'
import type { Bundler } from './load-esbuild.ts'
import { OWN_FOLDER } from './own-modules.ts'
import { leaveMissing } from './missing-packages.ts'
import { keepPlaces, OWN_PLACE, PLACES } from './places.ts'
import { importRequired } from './required-builtins.ts'
import type { Target } from './targets.ts'

/** What is bundled. */
export interface BundleInput {
  /** The text of the entry. */
  readonly entry: string
  /** The folder from which the entry imports. */
  readonly from: string
  readonly target: Target
  /** What modules of our packages become, by their paths. */
  readonly replaced: Readonly<Record<string, string>>
  /** What single modules of our packages become, by their files. */
  readonly texts?: ReadonlyMap<string, string>
  /** Names of packages that stay imports. */
  readonly external: readonly string[]
  /** Names of packages that stay imports where the written file finds them. */
  readonly idle: readonly string[]
  /** The file that is written later, for the map. */
  readonly out: string
}

/** A bundle, which is not written yet. */
export interface Bundle {
  readonly code: Uint8Array
  readonly map: Uint8Array
  readonly metafile: Metafile
  /** The texts of the modules that were replaced, by their files. */
  readonly texts: ReadonlyMap<string, string>
  /** The modules that find files by their own place. */
  readonly placed: readonly string[]
  /** What code may load that is not installed. */
  readonly missing: readonly string[]
}

/** What CommonJS libraries need in an ES module. */
const BANNER = [
  OWN_PLACE,
  "import { createRequire as createRequire__ } from 'node:module'",
  'const require = createRequire__(ownUrl__)',
].join(';')

/** Where a line can end, it does. */
const MAX_LINE_LENGTH = 500

/** Bundles an entry into one ES module. */
export async function bundle(bundler: Bundler, input: BundleInput): Promise<Bundle> {
  const { entry, from, target, external, out } = input
  const replaced = new Map<string, string>()
  const placed = new Set<string>()
  const missing = new Set<string>()
  const { hasNode } = target
  const { outputFiles, metafile } = await bundler
    .build({
      stdin: { contents: entry, resolveDir: from, sourcefile: 'cloister-build.js', loader: 'js' },
      absWorkingDir: from,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: hasNode ? 'node' : 'neutral',
      mainFields: hasNode ? ['main', 'module'] : ['module', 'main'],
      conditions: [...target.conditions],
      // On Node names stay: plugins and errors are known by them.
      minifyWhitespace: true,
      minifySyntax: true,
      minifyIdentifiers: !hasNode,
      // Node prints the whole line of an error that nothing has caught.
      ...(hasNode ? { lineLimit: MAX_LINE_LENGTH } : {}),
      target: hasNode ? 'node20' : 'es2022',
      external: [...(hasNode ? [] : ['cloudflare:*']), ...external],
      banner: hasNode ? { js: BANNER } : {},
      define: hasNode ? { ...PLACES } : {},
      sourcemap: 'linked',
      outfile: out,
      logLevel: 'silent',
      plugins: [
        replaceModules(input, replaced),
        visibleRequire(),
        callable(),
        leaveOut(input.idle, out),
        ...(hasNode ? [keepPlaces(out, placed)] : [importRequired(external)]),
        leaveMissing(missing),
      ],
    })
    .catch((error: unknown) => {
      throw refusal(error, input)
    })
  const found = [...replaced.keys()].map((file) => file.replaceAll('\\', '/'))
  const isFound = (module: string): boolean => found.some((file) => file.endsWith(`/${module}`))
  if (Object.keys(input.replaced).some((module) => module in EXPORTS && !isFound(module)))
    throw new CommandError(
      3,
      'the app uses no @cloister/schema that can be built; cloister and @cloister/cli must have the same version\n',
    )
  const [map, code] = outputFiles
  if (map === undefined || code === undefined) throw new Error('esbuild has written no map')
  return {
    code: code.contents,
    map: map.contents,
    metafile,
    texts: replaced,
    placed: [...placed],
    missing: [...missing],
  }
}

/** Shortens the module with the functions of schemas, which are known by their keys alone. */
export async function shorten(bundler: Bundler, text: string): Promise<string> {
  const { code } = await bundler.transform(text, { minify: true, loader: 'js' })
  return code
}

const DEPENDENCIES = new RegExp(String.raw`${OWN_FOLDER}(?:dependencies|packages)\.js$`)

/** What modules export that must be replaced, by their paths. */
const EXPORTS: Readonly<Record<string, string>> = {
  'ahead/built.js': 'createAhead',
  'engine.js': 'createSchemaEngine',
  'sealed/table.js': 'SEALED',
}

/**
 * Replaces modules of our packages.
 *
 * @param replaced - gets the texts of those that were found, by their files
 */
function replaceModules(
  { replaced: given, texts = new Map() }: Pick<BundleInput, 'replaced' | 'texts'>,
  replaced: Map<string, string>,
): Plugin {
  return {
    name: 'cloister-modules',
    setup(build) {
      const load = (file: string, contents: string): OnLoadResult => {
        replaced.set(file, contents)
        return { contents, loader: 'js', resolveDir: path.dirname(file) }
      }
      if (texts.size > 0)
        build.onLoad({ filter: new RegExp(OWN_FOLDER) }, ({ path: file }) => {
          const text = texts.get(file)
          return text === undefined ? undefined : load(file, text)
        })
      for (const [module, contents] of Object.entries(given)) {
        const ending = module.replaceAll('.', String.raw`\.`).replaceAll('/', String.raw`[\\/]`)
        const filter = new RegExp(`${OWN_FOLDER}(?:worker-bundle[\\\\/])?${ending}$`)
        build.onLoad({ filter }, async ({ path: file }) => {
          const own = await readFile(file, 'utf8')
          return own.includes(EXPORTS[module] ?? '') ? load(file, contents) : undefined
        })
      }
    },
  }
}

/** Our packages load some others on first use; a bundler sees that if they do it by its own `require`. */
function visibleRequire(): Plugin {
  return {
    name: 'cloister-require',
    setup(build) {
      build.onLoad({ filter: DEPENDENCIES }, async ({ path: file }) => {
        const code = await readFile(file, 'utf8')
        return {
          contents: code.replace(/^const require = createRequire\(import\.meta\.url\);?$/m, ''),
          loader: 'js',
        }
      })
    },
  }
}

const CALLABLE = 'cloister-callable'

/** `require('cloister')` returns the factory, as without a bundle. */
function callable(): Plugin {
  return {
    name: CALLABLE,
    setup(build) {
      build.onResolve(
        { filter: /^(?:cloister|fastify)$/ },
        async ({ path: name, kind, resolveDir, pluginData }) => {
          if (kind !== 'require-call' || pluginData === CALLABLE) return undefined
          const found = await build.resolve(name, { kind, resolveDir, pluginData: CALLABLE })
          return found.errors.length > 0 || !/[\\/]dist[\\/]\w+\.js$/.test(found.path)
            ? found
            : { path: found.path, namespace: CALLABLE }
        },
      )
      build.onLoad({ filter: /./, namespace: CALLABLE }, ({ path: file }) => ({
        contents: `module.exports = require(${JSON.stringify(file)}).default`,
        loader: 'js',
        resolveDir: path.dirname(file),
      }))
    },
  }
}

/** Says which file imports what the target does not have. */
function refusal(error: unknown, { from }: BundleInput): unknown {
  if (!isBuildFailure(error)) return error
  const lines = error.errors.map(({ text, location }) => {
    const place =
      location === null
        ? ''
        : `${path.relative(process.cwd(), path.join(from, location.file))}:${location.line}: `
    const [, module = ''] = /^Could not resolve "([^"./][^"]*)"/.exec(text) ?? []
    if (module === '') return `${place}${text}`
    return isBuiltin(module)
      ? `${place}it imports "${module}", which the target does not have (with a flag of the platform it may: --external ${module})`
      : `${place}it imports "${module}", which is not installed (if the app does not need it: --external ${module})`
  })
  return new CommandError(
    1,
    `nothing is written, because the app cannot be bundled:\n${lines.join('\n')}\n`,
    error,
  )
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && Array.isArray(Reflect.get(error, 'errors'))
}
