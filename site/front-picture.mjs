// The picture of the front page: the contexts of an app that runs here, as `app.explain()` describes them, and what one
// request runs through, in the order of its hooks.
import app from './shop/app.mjs'

const LINE = 24
const PADDING = 14
const GAP = 12
/** The room above the contexts, for the request. */
const HEAD = 34
/** The request that is drawn. */
const REQUEST = { method: 'PUT', url: '/members/admin/books/7' }
const WIDTH = 420
/** How long each step of the request is lit before the next, in seconds. */
const STEP = 0.6

const COLOURS = {
  light: {
    text: '#1f2328',
    soft: '#57606a',
    box: '#f6f8fa',
    inner: '#ffffff',
    line: '#8c959f',
    lit: '#8a4716',
  },
  dark: {
    text: '#e6edf3',
    soft: '#a3acb6',
    box: '#161b22',
    inner: '#1f262e',
    line: '#59636e',
    lit: '#f0b07f',
  },
}

/** The pictures for light and dark pages. @returns {Promise<Record<'light' | 'dark', string>>} */
export async function frontPicture() {
  await app.ready()
  const { contexts } = app.explain()
  const route = app.explain(REQUEST.method, REQUEST.url)
  if (route.kind !== 'route') throw new Error('the picture needs its route')
  /** What the request runs, with the step at which it runs. @type {Map<string, number>} */
  const steps = new Map()
  const before = route.hooks.filter(({ name }) => name !== 'onResponse')
  for (const { name, fn } of before) steps.set(`${name} ${fn}`, steps.size + 1)
  steps.set(`${route.method} ${route.url}`, steps.size + 1)
  await app.close()
  return { light: draw(contexts, steps, 'light'), dark: draw(contexts, steps, 'dark') }
}

/** @typedef {import('../packages/cloister/dist/index.js').ContextDescription} Context */

/** @param {Context} root @param {Map<string, number>} steps @param {'light' | 'dark'} theme */
function draw(root, steps, theme) {
  const { text, soft, box, inner, line, lit } = COLOURS[theme]
  const height = HEAD + heightOf(root)
  const last = steps.size
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
<style>text{font:15px ui-monospace,Menlo,Consolas,monospace;fill:${text}}.title,.request{font-weight:700}.request{fill:${lit}}.soft{fill:${soft}}
rect{fill:${box};stroke:${line};stroke-width:1.5}.inner{fill:${inner}}
.lit text{fill:${lit};font-weight:700}.lit circle{fill:${lit}}.lit .number{fill:${box};font-size:12px}
.step{animation:light ${((last + 2) * STEP).toFixed(1)}s both infinite}
@keyframes light{0%{opacity:.45}8%,100%{opacity:1}}
@media (prefers-reduced-motion:reduce){.step{animation:none}}</style>
<text class="request" x="1" y="17">${REQUEST.method} ${REQUEST.url}</text>
<path d="M${PADDING + 9} 24v10" stroke="${lit}" stroke-width="2"/>
${room(root, steps, 0, HEAD, WIDTH, 0)}
</svg>
`
}

/** The lines of a context: its hooks, then its routes. @param {Context} context */
const linesOf = ({ hooks, routes }) => [
  ...hooks.map(({ name, fn }) => `${name} ${fn}`),
  ...routes.filter(({ automatic }) => !automatic).map(({ method, url }) => `${method} ${url}`),
]

/** @param {Context} context @returns {number} */
function heightOf(context) {
  const own = PADDING * 2 + (linesOf(context).length + 1) * LINE
  return context.children.reduce((sum, child) => sum + GAP + heightOf(child), own)
}

/**
 * @param {Context} context @param {Map<string, number>} steps
 * @param {number} x @param {number} y @param {number} width @param {number} depth
 * @returns {string}
 */
function room(context, steps, x, y, width, depth) {
  const at = (/** @type {number} */ index) => y + PADDING + index * LINE + 17
  const lines = linesOf(context).map((text, index) => lineAt(text, steps.get(text), x, at(index + 1)))
  let top = y + PADDING + (lines.length + 1) * LINE
  const children = context.children.map((child) => {
    const drawn = room(child, steps, x + PADDING, top + GAP, width - 2 * PADDING, depth + 1)
    top += GAP + heightOf(child)
    return drawn
  })
  const height = heightOf(context)
  return [
    `<rect class="${depth % 2 === 0 ? '' : 'inner'}" x="${x + 1}" y="${y + 1}" width="${width - 2}" height="${height - 2}" rx="8"/>`,
    `<text class="title" x="${x + PADDING}" y="${at(0)}">${escaped(context.name)}</text>`,
    ...lines,
    ...children,
  ].join('\n')
}

/** @param {string} text @param {number | undefined} step @param {number} x @param {number} y */
function lineAt(text, step, x, y) {
  const words = `<text class="soft" x="${x + PADDING + 26}" y="${y}">${escaped(text)}</text>`
  if (step === undefined) return words
  const centre = x + PADDING + 9
  return `<g class="lit step" style="animation-delay:${((step - 1) * STEP).toFixed(1)}s"><circle cx="${centre}" cy="${y - 5}" r="9"/>
<text class="number" x="${centre}" y="${y - 1}" text-anchor="middle">${step}</text>${words}</g>`
}

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
