// The features that the build for workers keeps apart: with the condition `cloister-lean`, an app that uses one imports
// `cloister/features/<name>`; without it, the entry of the package imports all. Those of the feature `core` are also in
// lean bundles, and only `cloister build`, which finds out what an app needs, leaves them out. Each
// module of the table is replaced by its late form: variables that the entry of the feature sets, and that until then
// hold functions that fail with an error that names the import. No source knows about it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { childrenOf, isSyntax, nameOf } from './syntax.mjs'

/**
 * By package and feature: modules below `src`, and after `#` the exports that are late; without `#` all of them are.
 * They are functions and classes that are called when an app boots or later, never while modules load. After `|` stands
 * the module that takes their place until then, instead of an error.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>}
 */
export const WORKER_FEATURES = {
  '@cloister/schema': {
    all: [],
    expressions: ['regexp/linear'],
    formats: ['worker/originals/formats'],
    keywords: ['worker/originals/keywords', 'worker/needs/keywords'],
    unions: [
      'serializer/read/condition#parseCondition',
      'serializer/read/predicate#PredicateReader',
      'serializer/read/union#lowerUnion',
      'worker/originals/unions',
      'worker/needs/unions',
    ],
  },
  cloister: {
    all: [],
    core: [],
    expressions: [],
    formats: [],
    keywords: [],
    unions: [],
    constraints: ['router/strategies'],
    exact: ['body/exact/exact-json', 'worker/needs/exact'],
    forms: ['routes/schemas/plan-forms', 'worker/form-parser'],
    guards: ['context/guard#readGuard,checkNeeds', 'request/guard-hook'],
    inspect: ['inspect/explain#explain', 'inspect/print#printPlugins,routeMeta', 'router/print'],
    int64: ['routes/schemas/int64/places', 'routes/schemas/int64/read-int64'],
    items: [
      'routes/schemas/plan-lines',
      'request/items/start-items#sendItems,startItems',
      'worker/needs/items',
    ],
    libraries: [
      'libraries/exact-integers',
      'libraries/json-schema',
      'libraries/library-schemas#LibrarySchemas',
      'libraries/read-text',
      'libraries/subschemas',
      'libraries/validate#validatorOf',
    ],
    logger: [
      'logging/destination#guardStream',
      'logging/request-lines#createRequestLines',
      'worker/console-logger',
    ],
    logs: ['logging/make-logger', 'logging/serializers#guardSerializers', 'logging/unlogged-errors'],
    mount: ['mount/mount-handler'],
    namespace: ['worker/originals/namespace'],
    negotiation: ['worker/needs/negotiation', 'worker/originals/negotiation'],
    observers: ['routes/plan/decide-presets', 'routes/plan/request-observers#observedHook'],
    plugins: [
      'boot/plugins/load-plugin',
      'boot/plugins/plugin#assertPlugin',
      'boot/plugins/plugin-options#assertPluginOptions',
      'worker/ranges',
    ],
    problems: ['request/errors/create-problem', 'worker/needs/problems'],
    proxies: ['worker/originals/proxies'],
    report: [
      'request/report/judge',
      'request/report/judge-stages',
      'request/report/strict-report',
      'routes/plan/judge-route',
    ],
    texts: [
      'error-text|worker/short-text',
      'logging/warning-text|worker/short-warning',
      'request/errors/other-frameworks|worker/no-advice',
      'routes/schemas/warn-of-schemas|worker/no-warnings',
      'routes/warn-of-route|worker/no-warnings',
    ],
    upgrades: ['routes/upgrades/take-upgrade'],
  },
}

/** @typedef {import('./syntax.mjs').Syntax} Syntax */
/** @typedef {{ feature: string, names: readonly string[] | null, until: string | null }} Late */

const LATE = /\.late\.js$/

/**
 * Makes the late forms and the entries of features.
 *
 * @param {string} dist the modules of the package
 * @param {Readonly<Record<string, readonly string[]>>} features
 * @returns {import('rolldown').Plugin}
 */
export function linkFeatures(dist, features) {
  const late = lateModules(dist, features)
  const entries = entriesOf(dist, features)
  const lateFile = lateFileOf(dist, features)
  return {
    name: 'link-features',
    resolveId(id, importer) {
      if (importer === undefined || !id.startsWith('.')) return null
      const asked = path.resolve(path.dirname(importer), id)
      return LATE.test(asked) ? asked : lateFile(asked, importer)
    },
    load(id) {
      /** @param {string} file */
      const exportsOf = (file) =>
        exportsIn(
          /** @type {Syntax} */ (/** @type {unknown} */ (this.parse(readFileSync(file, 'utf8')))),
          file,
        )
      const feature = entries.get(id)
      if (feature !== undefined) {
        const own = [...late].filter(([, one]) => one.feature === feature)
        const links = own.map(([file, { names }], index) =>
          linkOf(path.relative(path.dirname(id), file), names ?? exportsOf(file), index),
        )
        return `${readFileSync(id, 'utf8')}\n${links.join('\n')}\n`
      }
      const file = id.replace(LATE, '.js')
      const found = LATE.test(id) ? late.get(file) : undefined
      return found === undefined ? null : lateForm(file, found, exportsOf(file), dist)
    },
  }
}

/**
 * Returns a function that returns the late form of a module for its importer: `null` for a module of no feature, and
 * where the module itself is imported.
 *
 * @param {string} dist
 * @param {Readonly<Record<string, readonly string[]>>} features
 */
export function lateFileOf(dist, features) {
  const late = lateModules(dist, features)
  const entries = entriesOf(dist, features)
  return (/** @type {string} */ file, /** @type {string | undefined} */ importer = '') => {
    const isReal = LATE.test(importer) || entries.has(importer)
    return late.has(file) && !isReal ? file.replace(/\.js$/, '.late.js') : null
  }
}

/** The entries of features. @param {string} dist @param {Readonly<Record<string, readonly string[]>>} features */
function entriesOf(dist, features) {
  return new Map(Object.keys(features).map((name) => [path.join(dist, 'features', `${name}.js`), name]))
}

/** @param {string} dist @param {Readonly<Record<string, readonly string[]>>} features @returns {Map<string, Late>} */
function lateModules(dist, features) {
  const listed = Object.entries(features).flatMap(([feature, modules]) =>
    modules.map((one) => {
      const [late = '', until] = one.split('|')
      const [module, names] = late.split('#')
      return /** @type {const} */ ([
        path.join(dist, `${module}.js`),
        { feature, names: names?.split(',') ?? null, until: until ?? null },
      ])
    }),
  )
  return new Map(listed)
}

/** The statements of an entry for one module. @param {string} file @param {readonly string[]} names @param {number} index */
function linkOf(file, names, index) {
  const list = names.join(', ')
  const late = file.replace(/\.js$/, '.late.js')
  return [
    `import { ${names.map((name) => `${name} as ${name}${index}`).join(', ')} } from './${file}'`,
    `import { link as link${index} } from './${late}'`,
    `link${index}({ ${names.map((name) => `${name}: ${name}${index}`).join(', ')} }) // ${list}`,
  ].join('\n')
}

/** @param {string} file @param {Late} late @param {readonly string[]} all @param {string} dist */
function lateForm(file, { feature, names, until }, all, dist) {
  const own = names ?? all
  const unknown = own.filter((name) => !all.includes(name))
  if (unknown.length > 0) throw new Error(`${file} has no function or class ${unknown.join(', ')}`)
  const kept = all.filter((name) => !own.includes(name))
  /** @param {string} module */
  const from = (module) => `'./${path.relative(path.dirname(file), path.join(dist, `${module}.js`))}'`
  const missing = [
    `import { missingFeature } from ${from('worker/missing-feature')}`,
    `function missing() { return missingFeature('${feature}') }`,
    ...own.map((name) => `export let ${name} = missing`),
  ]
  const standIns = own.flatMap((name) => [
    `import { ${name} as until_${name} } from ${from(until ?? '')}`,
    `export let ${name} = until_${name}`,
  ])
  return [
    ...(kept.length > 0 ? [`export { ${kept.join(', ')} } from './${path.basename(file)}'`] : []),
    ...(until === null ? missing : standIns),
    `export function link(given) { ({ ${own.join(', ')} } = given) }`,
  ].join('\n')
}

/** The exports of a module. @param {Syntax} program @param {string} file @returns {string[]} */
function exportsIn(program, file) {
  return childrenOf(program).flatMap(({ type, declaration, specifiers }) => {
    if (type !== 'ExportNamedDeclaration') return []
    if (Array.isArray(specifiers) && specifiers.length > 0) throw new Error(`${file} exports a list of names`)
    if (!isSyntax(declaration)) return []
    const declared = declaration['declarations']
    if (!Array.isArray(declared)) return [nameOf(declaration['id'])]
    return declared.map((one) => nameOf(isSyntax(one) ? one['id'] : undefined))
  })
}
