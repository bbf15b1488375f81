import type { Mapped, WebPlan } from './plan.ts'

/** The options that `web` switches off where no plugin did their work before. */
const OFF: Readonly<Record<string, string>> = {
  '@fastify/helmet': 'headers',
  '@fastify/csrf-protection': 'csrf',
  '@fastify/etag': 'conditional',
}

/** Returns the items of the report: each registration with its equal, and what to do by hand. */
export function planItems({ registrations, unmapped, uses }: WebPlan): string[] {
  return [
    ...registrations.map(printMapped),
    ...unmapped.map((text) => `- ${text}`),
    ...uses.map(({ callSite, what, instead }) => `- \`${callSite}\` \`${what}\`: ${instead}`),
  ]
}

function printMapped({ plugin, callSite, options, notes }: Mapped): string {
  const entries = Object.keys(options).length === 0 ? 'nothing to write' : `\`${optionsText(options)}\``
  return [`- \`${callSite}\` ${plugin}: ${entries}`, ...notes.map((note) => `  - ${note}`)].join('\n')
}

/** Returns one call of `register` with the options of all registrations; `null` if two of them are of one plugin. */
export function planCall({ registrations }: WebPlan): string | null {
  const plugins = registrations.map(({ plugin }) => plugin)
  if (plugins.length === 0 || new Set(plugins).size < plugins.length) return null
  const off = Object.entries(OFF).filter(([plugin]) => !plugins.includes(plugin))
  const options = Object.fromEntries([
    ...off.map(([, option]) => [option, 'false'] as const),
    ...registrations.flatMap((one) => Object.entries(one.options)),
  ])
  return `await app.register(web, ${optionsText(options, '\n')})`
}

interface Tree extends Map<string, string | Tree> {}

/** Returns the source text of an object, from texts by their paths. */
export function optionsText(options: Readonly<Record<string, string>>, between: ' ' | '\n' = ' '): string {
  const root: Tree = new Map()
  for (const [name, text] of Object.entries(options)) {
    const [first = '', ...rest] = name.split('.')
    place(root, first, rest, text)
  }
  if (between === ' ') return treeText(root)
  const lines = [...root].map(
    ([key, value]) => `  ${key}: ${typeof value === 'string' ? value : treeText(value)},\n`,
  )
  return `{\n${lines.join('')}}`
}

/** Sets a text at a path. A part that is switched off has no members. */
function place(tree: Tree, name: string, [next, ...rest]: readonly string[], text: string): void {
  const found = tree.get(name)
  if (next === undefined) tree.set(name, text)
  else if (found !== 'false') {
    const inner: Tree = found instanceof Map ? found : new Map()
    tree.set(name, inner)
    place(inner, next, rest, text)
  }
}

function treeText(tree: Tree): string {
  const members = [...tree].map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : treeText(value)}`,
  )
  return `{ ${members.join(', ')} }`
}

/** Returns the report about `@cloister/web`, for a terminal; empty if the project has none of the plugins. */
export function planText(plan: WebPlan): string {
  const items = planItems(plan)
  if (items.length === 0) return ''
  const call = planCall(plan)
  return `\n${PLAN_TITLE}\n\n${items.join('\n')}\n${call === null ? '' : `\n${call}\n`}\n`
}

/** The title of the part of the report about `@cloister/web`. */
export const PLAN_TITLE = 'Plugins that @cloister/web replaces, and the equal options'
