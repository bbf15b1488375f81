import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The first line of a class in declarations, with its name. */
const CLASS = /^\s*(?:export )?(?:default )?(?:declare )?(?:abstract )?class (\w+)/
/** The line that stands for all private members of a class. */
const PRIVATE = /^(\s*)#private;$/

/**
 * Names the private members of the declarations of a package in a form that every target allows: TypeScript 5 compiles
 * for ES5 where a project names no target, and refuses `#private` there, in the declarations of libraries too. The
 * name has that of the class, so that a class and its base have one each, and no other object passes for either.
 *
 * @param {string} folder of a package
 */
export function namePrivateMembers(folder) {
  const dist = path.join(folder, 'dist')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.d\.c?ts$/.test(name),
  )
  for (const file of files.map((name) => path.join(dist, name))) {
    const text = readFileSync(file, 'utf8')
    if (!text.includes('#private;')) continue
    const { atime, mtime } = statSync(file)
    writeFileSync(file, named(text))
    // The compiler and the bundler ask for the times: for them, nothing has changed.
    utimesSync(file, atime, mtime)
  }
}

/** @param {string} text */
function named(text) {
  let name = ''
  const lines = text.split('\n').map((line) => {
    name = CLASS.exec(line)?.[1] ?? name
    return line.replace(PRIVATE, `$1private readonly __${name};`)
  })
  return lines.join('\n')
}
