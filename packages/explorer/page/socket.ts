import type { RouteExplanation } from 'cloister'

import type { RequestForm, SocketForm } from '../src/request-form.ts'
import { readTrace, textsIn } from './data.ts'
import { h } from './dom.ts'
import { labelOf } from './inputs.ts'
import { pretty } from './send.ts'
import { targetOf } from './target.ts'
import { refusedBy } from './waterfall.ts'
import type { DrawWay } from './way.ts'

/** The most messages that are shown; the oldest go first. */
const MAX_SHOWN = 200
/** The longest time between the cookie and the handshake that it belongs to, in seconds. */
const HANDSHAKE_SECONDS = 10

/** The form that opens a WebSocket, sends messages and shows those that come. */
export function socketForm(
  route: RouteExplanation,
  form: RequestForm,
  { canSend, message }: SocketForm,
  draw: DrawWay,
): HTMLElement {
  const target = targetOf(route, form, false)
  const protocols = ['', ...textsIn(route.socket?.['protocols'])]
  const options = protocols.map((one) => h('option', { value: one }, one === '' ? '(none)' : one))
  const protocol = h('select', { id: 'protocol' }, ...options)
  const text = h('textarea', { id: 'message', rows: '6', spellcheck: 'false' })
  text.value = message
  const view = new SocketView(canSend)
  let socket: WebSocket | null = null
  view.say.addEventListener('click', () => {
    socket?.send(text.value)
    view.add('sent', text.value)
  })
  const submit = (event: Event): void => {
    event.preventDefault()
    if (socket !== null) return socket.close(1000)
    socket = open(target.value, protocol.value, view, draw)
    socket.addEventListener('close', () => {
      socket = null
    })
  }
  // Another route that is chosen closes the socket of this one.
  window.addEventListener('hashchange', () => socket?.close(1000), { once: true })
  return h(
    'form',
    { oninput: target.refresh, onsubmit: submit, 'aria-labelledby': 'send-title' },
    h('h3', { id: 'send-title' }, 'Talk to the socket'),
    ...target.children,
    protocols.length > 1 && labelOf('Subprotocol', protocol),
    view.connect,
    view.status,
    canSend ? labelOf('Message', text) : h('p', {}, 'The client of this socket sends no messages.'),
    canSend && view.say,
    h('div', { role: 'log', 'aria-label': 'Messages' }, view.log),
  )
}

/** What the page shows of a socket. */
class SocketView {
  readonly connect = h('button', { type: 'submit' }, 'Connect')
  readonly status = h('p', { role: 'status', id: 'socket-state' }, 'Not connected.')
  readonly say = h('button', { type: 'button', disabled: true }, 'Send the message')
  readonly log = h('ol', { class: 'messages' })
  readonly #canSend: boolean

  constructor(canSend: boolean) {
    this.#canSend = canSend
  }

  add(kind: 'sent' | 'received' | 'closed', content: string): void {
    const item = h('li', { class: kind }, h('small', {}, kind), h('pre', { tabindex: '0' }, pretty(content)))
    this.log.append(item)
    if (this.log.childElementCount > MAX_SHOWN) this.log.firstElementChild?.remove()
    this.log.scrollTop = this.log.scrollHeight
  }

  tell(state: 'opening' | 'open' | 'closed', what: string, failed = false): void {
    this.status.className = failed ? 'failed' : state === 'open' ? 'done' : ''
    this.status.textContent = what
    this.connect.textContent = state === 'closed' ? 'Connect' : 'Close'
    this.say.disabled = state !== 'open' || !this.#canSend
  }
}

function open(target: string, protocol: string, view: SocketView, draw: DrawWay): WebSocket {
  const url = new URL(target, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  const id = crypto.randomUUID()
  const start = performance.now()
  // A page cannot set headers of a handshake.
  mark(url, id, HANDSHAKE_SECONDS)
  view.tell('opening', 'Connecting …')
  const socket = new WebSocket(url, protocol === '' ? [] : [protocol])
  const show = async (result: string, failed: boolean): Promise<void> => {
    mark(url, id, 0)
    const trace = await readTrace(id)
    const by = failed ? refusedBy(trace) : null
    if (by !== null) view.status.append(` Refused by ${by}.`)
    draw(trace, { request: `WS ${target}`, result, failed })
  }
  let wasOpen = false
  socket.addEventListener('open', () => {
    wasOpen = true
    const chosen = socket.protocol === '' ? '' : `, with the protocol ${socket.protocol}`
    view.tell('open', `Connected${chosen}.`)
    void show(`connected in ${(performance.now() - start).toFixed(1)} ms`, false)
  })
  socket.addEventListener('message', ({ data }) => view.add('received', String(data)))
  socket.addEventListener('close', ({ code, reason }) => {
    const why = `${code}${reason === '' ? '' : `: ${reason}`}`
    const isNormal = code === 1000 || code === 1005
    view.tell('closed', wasOpen ? `Closed with ${why}.` : 'The handshake was refused.', !isNormal)
    if (wasOpen) view.add('closed', why)
    else void show('the handshake was refused', true)
  })
  return socket
}

/** Sets the cookie under which the page finds the stages of the handshake; 0 seconds remove it. */
function mark({ pathname }: URL, id: string, seconds: number): void {
  document.cookie = `cloister-explorer=${id}; path=${pathname}; max-age=${seconds}; samesite=strict`
}
