// The front page: `front-page.md`, with the sentence and the example of the README and the figures of the benchmarks.

/**
 * @param {{ page: string, readme: string, benchmarks: string, operation: string }} texts of `front-page.md`, README.md,
 *   docs/benchmarks.md and docs/evidence/operation.md
 */
export function frontPage({ page, readme, benchmarks, operation }) {
  const [get, , getPeer, getRatio] = row(benchmarks, 'hooks and logger: GET')
  const [all, , allPeer, allRatio] = row(benchmarks, 'all of these: GET')
  const [boot, , bootPeer, bootRatio] = row(benchmarks, 'CPU until ready')
  /** @type {Record<string, string | undefined>} */
  const values = {
    sentence: part(readme, /^# .*\n\n(.+)\n/),
    example: part(readme, /```ts run\n([^]*?)```/).trim(),
    said: part(readme, /^(`curl .+)$/m),
    lost: part(operation, /\| engine \| (0 of [\d,]+) \|/),
    machine: part(benchmarks, /^(\d{4}-\d\d-\d\d, Node .+?); load average/m),
    ...{ get, getPeer, getRatio, all, allPeer, allRatio, boot, bootPeer, bootRatio },
  }
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name) => {
    const value = values[name]
    if (value === undefined) throw new Error(`front-page.md: no value for {{${name}}}`)
    return value
  })
}

/** The cells of a row of the benchmarks, without the figures in brackets. @param {string} text @param {string} title */
function row(text, title) {
  const cells = part(text, new RegExp(`^\\| ${title} \\| (.+) \\|$`, 'm')).split(' | ')
  return cells.map((cell) => cell.replace(/ \(.+\)$/, '').replaceAll('**', ''))
}

/** @param {string} text @param {RegExp} pattern */
function part(text, pattern) {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`the front page needs ${pattern}, which its source doesn't have`)
  return found
}
