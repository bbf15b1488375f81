// Checks the code in the docs: type-checks every ts and js block of README.md, of docs/ and of the doc comments, and
// executes blocks marked ```ts run against the built packages. A block that cannot run alone is marked ```ts
// fragment; these are the only ones without a check. A server that an example starts gets a free port instead of its
// own and does not keep the process alive. Arguments are the only files to check.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { blocksOfMarkdown, blocksOfSource } from './lib/code-blocks.mjs'
import { trackedFiles } from './lib/files.mjs'
import { repository, run } from './lib/run.mjs'

/** @typedef {import('./lib/code-blocks.mjs').CodeBlock} CodeBlock */

const root = process.cwd()
const only = process.argv.slice(2)
const folder = path.join(root, '.doc-examples')
const preload = pathToFileURL(path.join(repository, 'scripts/lib/free-port.mjs')).href
const RUN_TIMEOUT_MS = 60_000

/** @returns {CodeBlock[]} */
function collect() {
  return trackedFiles(root).flatMap((file) => {
    const inDocs =
      file.endsWith('.md') &&
      (!file.includes('/') ||
        file.startsWith('docs/') ||
        /^(packages|examples)\/[^/]+\/(README|SKILL)\.md$/.test(file))
    const inSource = /^packages\/[^/]+\/src\/.*\.ts$/.test(file)
    if ((!inDocs && !inSource) || (only.length > 0 && !only.includes(file))) return []
    const text = readFileSync(path.join(root, file), 'utf8')
    return inDocs ? blocksOfMarkdown(file, text) : blocksOfSource(file, text)
  })
}

/** Returns the file name, without its extension, under which a block is checked. @param {CodeBlock} block */
function nameOf(block) {
  return `${block.file.replaceAll('/', '__')}--${block.line}`
}

/** @param {readonly CodeBlock[]} blocks */
function writeProject(blocks) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(path.join(folder, 'src'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n')
  const options = {
    noEmit: false,
    rootDir: 'src',
    outDir: 'out',
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    checkJs: false,
    customConditions: null,
  }
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../tsconfig.test.json',
      compilerOptions: options,
      include: ['src'],
      exclude: [],
    }),
  )
  for (const block of blocks) {
    // Empty lines keep the line numbers of the document. `export {}` makes every block a module.
    const text = `${'\n'.repeat(block.line - 1)}${block.code}\nexport {}\n`
    writeFileSync(path.join(folder, 'src', `${nameOf(block)}.${block.language}`), text)
  }
}

/** @param {string} output @param {readonly CodeBlock[]} blocks */
function inWordsOfTheDocs(output, blocks) {
  let text = output
  for (const block of blocks) {
    text = text.replaceAll(`.doc-examples/src/${nameOf(block)}.${block.language}`, block.file)
    text = text.replaceAll(`src/${nameOf(block)}.${block.language}`, block.file)
  }
  return text
}

const blocks = collect()
const checked = blocks.filter(({ mode }) => mode !== 'fragment')
const executed = blocks.filter(({ mode }) => mode === 'run')
let faults = 0

writeProject(checked)
if (checked.length > 0) {
  const { code, output } = await run(['tsc', '-p', path.join(folder, 'tsconfig.json'), '--pretty', 'false'], {
    cwd: root,
  })
  if (code !== 0) {
    faults++
    console.log(inWordsOfTheDocs(output, checked))
  }
}
for (const block of executed) {
  const file = path.join(folder, 'out', `${nameOf(block)}.js`)
  const { code, output } = await run([process.execPath, '--import', preload, file], {
    cwd: folder,
    timeoutMs: RUN_TIMEOUT_MS,
  })
  if (code !== 0) {
    faults++
    console.log(`${block.file}:${block.line} the example ends with exit code ${code}:\n${output}`)
  }
}
rmSync(folder, { recursive: true, force: true })

const fragments = blocks.length - checked.length
console.log(
  `${checked.length} code blocks checked, ${executed.length} of them run, ${fragments} are fragments.`,
)
process.exitCode = faults === 0 ? 0 : 1
