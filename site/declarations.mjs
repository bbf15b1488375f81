// The declarations that the editor of the playground loads: those of the packages and of what they import, by path.
// Modules of Node are left out, for their size; what is imported of them has the type `any`. The declarations of the
// language and of workers are those of TypeScript.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import ts from 'typescript'

const root = path.join(import.meta.dirname, '..')
const names = ['cloister', 'openapi', 'plugin', 'schema', 'wire']

/** @returns {Record<string, string>} */
export function declarations() {
  const entries = names.map((name) => path.join(root, 'packages', name, 'dist/index.d.ts'))
  entries.push(path.join(root, 'packages/cloister/dist/inspection.d.ts'))
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
    types: [],
  })
  /** @type {Record<string, string>} */
  const files = {}
  /** @type {Map<string, Set<string>>} */
  const ofNode = new Map()
  for (const source of program.getSourceFiles()) {
    if (/\/(typescript|@types\/node|undici-types|buffer)\//.test(source.fileName)) continue
    files[placeOf(source.fileName)] = source.text
      .replace(/^\/\/\/ <reference.*$/gm, '')
      .replace(/^\/\/# source.*$/gm, '')
    const name = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source.fileName)
    if (name !== null) {
      const manifest = JSON.parse(readFileSync(`${name[0]}package.json`, 'utf8'))
      const types = manifest.types ?? manifest.typings
      files[`/node_modules/${name[1]}/package.json`] = JSON.stringify({ name: name[1], types })
    }
    for (const [module, name] of importsOf(source)) {
      if (!isOfNode(module)) continue
      ofNode.set(module, (ofNode.get(module) ?? new Set()).add(name))
    }
  }
  for (const [name, text] of Object.entries(packages())) {
    const up = '../'.repeat(name.split('/').length)
    files[`/node_modules/${name}.d.ts`] = text.replaceAll("'packages/", `'${up}packages/`)
  }
  files['/node.d.ts'] = [...ofNode].map(stub).join('\n') + GLOBALS
  return { ...files, ...libraries() }
}

/** What the language and a worker have themselves. @returns {Record<string, string>} */
function libraries() {
  const folder = path.dirname(createRequire(import.meta.url).resolve('typescript'))
  const names = readdirSync(folder).filter((name) =>
    /^lib\.(es5|es6|es20(1\d|2[0-3])(\..+)?|decorators(\.legacy)?|webworker(\.iterable)?)\.d\.ts$/.test(name),
  )
  return Object.fromEntries(
    names
      .filter((name) => !name.endsWith('.full.d.ts'))
      .map((name) => [`/lib/${name}`, readFileSync(path.join(folder, name), 'utf8')]),
  )
}

const GLOBALS = `
type Buffer = Uint8Array
declare namespace NodeJS { type ErrnoException = Error; type ReadableStream = any; type WritableStream = any; type EventEmitter = any; type ProcessEnv = any; type WriteStream = any; type CallSite = any; type Timeout = any }
`

/** The names under which an app imports the packages. @returns {Record<string, string>} */
function packages() {
  const named = (/** @type {string} */ file) => `export * from '${file}'\n`
  const entry = (/** @type {string} */ file) => `${named(file)}export { default } from '${file}'\n`
  return {
    'cloister/index': entry('packages/cloister/dist/index'),
    'cloister/inspect': named('packages/cloister/dist/inspection'),
    'cloister/types': named('packages/cloister/dist/types/public'),
    '@cloister/openapi/index': named('packages/openapi/dist/index'),
    '@cloister/plugin/index': entry('packages/plugin/dist/index'),
    '@cloister/schema/index': named('packages/schema/dist/index'),
    '@cloister/wire/index': named('packages/wire/dist/index'),
  }
}

/** @param {string} file */
function placeOf(file) {
  const place = `/${path.relative(root, file)}`
  return place.replace(/^.*\/node_modules\//, '/node_modules/')
}

/** @param {string} module */
const isOfNode = (module) =>
  module.startsWith('node:') || ['http', 'http2', 'https', 'net', 'stream', 'events', 'tls'].includes(module)

/** Each name that a module takes of another. @param {import('typescript').SourceFile} source */
function importsOf(source) {
  /** @type {[module: string, name: string][]} */
  const found = []
  const visit = (/** @type {import('typescript').Node} */ node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const bindings = node.importClause?.namedBindings
      const module = node.moduleSpecifier.text
      found.push([module, ''])
      if (bindings !== undefined && ts.isNamedImports(bindings))
        for (const { name, propertyName } of bindings.elements)
          found.push([module, (propertyName ?? name).text])
    }
    if (
      ts.isImportTypeNode(node) &&
      ts.isLiteralTypeNode(node.argument) &&
      ts.isStringLiteral(node.argument.literal)
    ) {
      const { qualifier } = node
      if (qualifier !== undefined && ts.isIdentifier(qualifier))
        found.push([node.argument.literal.text, qualifier.text])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** @param {[module: string, names: Set<string>]} imported */
function stub([module, all]) {
  const types = [...all].filter((name) => name !== '' && name !== 'default')
  const lines = types.map(
    (name) => `  export type ${name}<A = any, B = any, C = any> = any\n  export const ${name}: any`,
  )
  return `declare module '${module}' {\n${lines.join('\n')}\n  const all: any\n  export default all\n}`
}

if (process.argv[1] === import.meta.filename) {
  const text = JSON.stringify(declarations())
  writeFileSync(path.join(import.meta.dirname, 'types.generated.json'), text)
  console.log(`${text.length} characters of declarations`)
}
