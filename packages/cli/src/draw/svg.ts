import type { Room } from './rooms.ts'

const LINE = 20
const PADDING = 14
const GAP = 12
/** The width of a character in a monospaced font of 13 px. */
const CHARACTER = 7.9
/** Longer texts are cut; the title of the element has the whole text. */
const MAX_CHARACTERS = 110

const STYLE = `text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#1f2328}
.room>rect{fill:#f6f8fa;stroke:#57606a;stroke-width:1.5}.room .room>rect{fill:#fff}.room .room .room>rect{fill:#f6f8fa}
.title{font-weight:700}.walls{fill:#8250df}.routes{fill:#0550ae}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.room>rect,.room .room>rect,.room .room .room>rect{fill:#161b22;stroke:#8b949e}.walls{fill:#d2a8ff}.routes{fill:#79c0ff}}`

interface Placed {
  readonly width: number
  readonly height: number
  readonly draw: (x: number, y: number, width: number) => string
}

/** Draws rooms as an SVG image: nested boxes, with the walls and routes of each. */
export function drawSvg(root: Room): string {
  const { width, height, draw } = place(root)
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="The contexts of the app">
<style>${STYLE}</style>
${draw(0, 0, width)}
</svg>
`
}

function place({ title, walls, routes, rooms }: Room): Placed {
  const lines = [
    { kind: 'title', text: title },
    ...walls.map((text) => ({ kind: 'walls', text })),
    ...routes.map((text) => ({ kind: 'routes', text })),
  ]
  const inner = rooms.map(place)
  const textWidth = Math.max(...lines.map(({ text }) => Math.min(text.length, MAX_CHARACTERS) * CHARACTER))
  const width = Math.ceil(Math.max(textWidth, ...inner.map((one) => one.width)) + 2 * PADDING)
  const above = PADDING + lines.length * LINE
  const height = inner.reduce((sum, one) => sum + GAP + one.height, above) + PADDING
  const draw = (x: number, y: number, given: number): string => {
    const texts = lines.map(
      ({ kind, text }, index) =>
        `<text class="${kind}" x="${x + PADDING}" y="${y + PADDING + (index + 1) * LINE - 6}">${cut(text)}</text>`,
    )
    let top = y + above
    const boxes = inner.map((one) => {
      const box = one.draw(x + PADDING, top + GAP, given - 2 * PADDING)
      top += GAP + one.height
      return box
    })
    const box = `<rect x="${x + 1}" y="${y + 1}" width="${given - 2}" height="${height - 2}" rx="8"/>`
    return ['<g class="room">', box, ...texts, ...boxes, '</g>'].join('\n')
  }
  return { width, height, draw }
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return escape(text)
  return `<title>${escape(text)}</title>${escape(`${text.slice(0, MAX_CHARACTERS - 1)}…`)}`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
