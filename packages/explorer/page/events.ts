import { h } from './dom.ts'

/** The most events that are shown; the oldest go first. */
const MAX_SHOWN = 200

/** The events of a stream, as they come. */
export interface EventList {
  readonly element: HTMLElement
  /** The id of the last event that had one; empty if none had. */
  readonly lastId: string
  /** Adds a piece of the stream, which may end within an event. */
  add(text: string): void
}

/** @param took - how long the stream is open, in words */
export function eventList(took: () => string): EventList {
  const rows = h('tbody', {})
  const count = h('caption', {}, 'No events yet')
  const head = ['id', 'event', 'data', 'after'].map((one) => h('th', { scope: 'col' }, one))
  const element = h('table', { class: 'events' }, count, h('thead', {}, h('tr', {}, ...head)), rows)
  let rest = ''
  let lastId = ''
  let number = 0
  const show = (block: string): void => {
    const fields = fieldsOf(block)
    const data = fields.get('data')
    if (fields.has('id')) lastId = fields.get('id') ?? ''
    if (data === undefined) return
    const cells = [fields.get('id') ?? '', fields.get('event') ?? 'message', h('code', {}, data), took()]
    rows.append(h('tr', {}, ...cells.map((cell) => h('td', {}, cell))))
    if (rows.childElementCount > MAX_SHOWN) rows.firstElementChild?.remove()
    number++
    count.textContent = `${number} ${number === 1 ? 'event' : 'events'}`
  }
  return {
    element,
    get lastId() {
      return lastId
    },
    add(text) {
      const blocks = (rest + text).split(/\r\n\r\n|\n\n|\r\r/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) show(block)
    },
  }
}

/** The fields of an event (HTML, section 9.2.6): the lines of `data` are joined, comments are left out. */
function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? []
    if (name === '') continue
    const before = name === 'data' ? fields.get(name) : undefined
    fields.set(name, before === undefined ? value : `${before}\n${value}`)
  }
  return fields
}
