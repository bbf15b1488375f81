// `npm run graph [-- --ref REV]`: prints the structure of the large packages as numbers. Rooms are the folders of
// `src` (and the files in `src` itself); an arrow leads from a room to a room that one of its files imports,
// including types. An arrow goes up when it closes a circle between rooms: it leads to a room that
// `scripts/layers.json` lists on the same floor or above. `--ref REV` takes sources and table from another commit.
// `--compare REV` prints a Markdown table with columns for that commit and the checkout; `--write FILE` writes it
// into a page, between the lines `<!-- graph -->` and `<!-- end of graph -->`.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sizeOf } from './lib/code-lines.mjs'
import { circlesOf, graphOf, roomOf } from './lib/import-graph.mjs'
import { typescriptFiles } from './lib/modules.mjs'

const PACKAGES = ['cloister', 'schema', 'wire']

/** Checks out the sources of a commit into a new folder. @param {string} ref @returns {string} */
function checkOut(ref) {
  const folder = mkdtempSync(path.join(tmpdir(), 'graph-'))
  const archive = execFileSync('git', ['archive', ref, 'packages', 'scripts/layers.json'], {
    maxBuffer: 1024 * 1024 * 1024,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  return folder
}

/** Returns the floor of each room, from the bottom. @param {string} root @param {string} name */
function floorsOf(root, name) {
  const file = path.join(root, 'scripts/layers.json')
  /** @type {{ rooms: Record<string, string[][]> }} */
  const { rooms } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { rooms: {} }
  const levels = rooms[name === 'cloister' ? name : `@cloister/${name}`] ?? []
  return new Map(levels.flatMap((level, floor) => level.map((room) => [room, floor])))
}

/** Counts the symbols that the sources create. @param {string} src */
function symbolsOf(src) {
  const texts = typescriptFiles(src).map((file) => readFileSync(file, 'utf8'))
  return texts.reduce((sum, text) => sum + (text.match(/= Symbol(\.for)?\(/g)?.length ?? 0), 0)
}

/** @param {string} root @param {string} name */
function measure(root, name) {
  const src = path.join(root, 'packages', name, 'src')
  const graph = graphOf(src)
  const floors = floorsOf(root, name)
  const rooms = new Set([...graph.keys()].map((file) => roomOf(src, file)))
  const arrows = new Set()
  const up = new Set()
  for (const [file, imports] of graph) {
    const from = roomOf(src, file)
    for (const { target } of imports) {
      const to = roomOf(src, target)
      if (from === to) continue
      arrows.add(`${from} -> ${to}`)
      const [own, other] = [floors.get(from), floors.get(to)]
      if (own !== undefined && other !== undefined && other >= own) up.add(`${from} -> ${to}`)
    }
  }
  const circles = circlesOf(graph, true)
  const across = circles.filter((files) => new Set(files.map((file) => roomOf(src, file))).size > 1)
  return {
    package: name,
    'code lines': sizeOf(src).lines,
    files: graph.size,
    rooms: rooms.size,
    arrows: arrows.size,
    'back up': floors.size === 0 ? 'no table' : up.size,
    'circles of values': circlesOf(graph, false).length,
    'circles with types': circles.map((files) => files.length).join(', ') || 0,
    'of these across rooms': across.map((files) => files.length).join(', ') || 0,
    symbols: symbolsOf(src),
  }
}

/** Measures the packages of the checkout, or of another commit. @param {string} [ref] */
function measureAll(ref) {
  const root = ref === undefined ? process.cwd() : checkOut(ref)
  const rows = PACKAGES.map((name) => measure(root, name))
  if (ref !== undefined) rmSync(root, { recursive: true, force: true })
  return rows
}

/** Returns a Markdown table of two measurements. @param {string} ref */
function comparison(ref) {
  const [before, now] = [measureAll(ref), measureAll()]
  const rows = now.flatMap((row, index) =>
    Object.entries(row)
      .filter(([name]) => name !== 'package')
      .map(([name, value]) => `| ${row.package} | ${name} | ${Object(before[index])[name]} | ${value} |`),
  )
  return ['| package | | ' + ref + ' | now |', '|---|---|---|---|', ...rows].join('\n')
}

/** @param {string} name @returns {string | undefined} */
function argument(name) {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : process.argv[at + 1]
}

const compared = argument('--compare')
const page = argument('--write')
if (compared === undefined) {
  console.table(measureAll(argument('--ref')))
} else if (page === undefined) {
  console.log(comparison(compared))
} else {
  const [start, end] = ['<!-- graph -->', '<!-- end of graph -->']
  const text = readFileSync(page, 'utf8')
  if (!text.includes(start) || !text.includes(end))
    throw new Error(`${page} has no lines ${start} and ${end}`)
  const [head] = text.split(start)
  const [, tail] = text.split(end)
  writeFileSync(page, `${head}${start}\n\n${comparison(compared)}\n\n${end}${tail}`)
}
