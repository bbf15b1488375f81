// Requests of a client that has `fetch`: undici in Node, and browsers. Returns what was sent and what failed.
const ROUNDS = 40
const BIG = 400_000
const REFUSALS = [
  ['/refused', 'application/x-upload', 401],
  ['/nowhere', 'application/x-upload', 404],
  ['/limited', 'application/x-buffer', 413],
]

/** @param {string} token @param {number} size @returns {Uint8Array<ArrayBuffer>} */
function contentOf(token, size) {
  const line = new TextEncoder().encode(`${token}\n`)
  return Uint8Array.from({ length: size }, (_, at) => line[at % line.length] ?? 0)
}

/** @param {Uint8Array} one @param {Uint8Array} other */
const isEqual = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at])

/** @param {Uint8Array<ArrayBuffer>} content */
async function hashOf(content) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** @param {Uint8Array<ArrayBuffer>} content */
function pieces(content) {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= content.length) controller.close()
      else controller.enqueue(content.subarray(at, (at += 16_384)))
    },
  })
}

/**
 * @param {string} base @param {boolean} mayStream uploads may be streams: browsers have these over HTTP/2 alone
 * @returns {Promise<{ sent: number, failed: Record<string, number> }>}
 */
export async function askByFetch(base, mayStream) {
  let sent = 0
  /** @type {Record<string, number>} */
  const failed = {}
  const fail = (/** @type {string} */ reason) => void (failed[reason] = (failed[reason] ?? 0) + 1)

  /**
   * @param {string} name @param {string} path @param {number} status
   * @param {RequestInit} init @param {(token: string, content: Uint8Array) => boolean | Promise<boolean>} isRight
   */
  const check = async (name, path, status, init = {}, isRight = () => true) => {
    sent++
    const token = crypto.randomUUID()
    try {
      const url = `${base}${path}${path.includes('?') ? '&' : '?'}token=${token}`
      const response = await fetch(url, { cache: 'no-store', ...init })
      const content = new Uint8Array(await response.arrayBuffer())
      if (response.status !== status) fail(`${name}: status ${response.status}`)
      else if ((response.headers.get('x-token') ?? (status === 200 ? '' : token)) !== token)
        fail(`${name}: the response of another request`)
      else if (!(await isRight(token, content))) fail(`${name}: another content`)
    } catch (error) {
      fail(`${name}: ${String(error)} ${String(error?.cause ?? '')}`.slice(0, 100))
    }
  }

  const round = async (/** @type {number} */ index) => {
    const size = 1 + Math.floor(200_000 ** (index / ROUNDS))
    const isWhole = (token, content) => isEqual(content, contentOf(token, size))
    await check('get', `/bytes?size=${size}`, 200, {}, isWhole)
    await check('stream', `/stream?size=${size}`, 200, {}, isWhole)
    const body = contentOf('body', size)
    const hash = await hashOf(body)
    const isHashed = (_token, content) => {
      const said = JSON.parse(new TextDecoder().decode(content))
      return said.size === size && said.hash === hash
    }
    const upload = { method: 'POST', headers: { 'content-type': 'application/x-upload' } }
    await check('upload', '/upload', 200, { ...upload, body }, isHashed)
    if (mayStream)
      await check(
        'chunked upload',
        '/upload',
        200,
        { ...upload, body: pieces(body), duplex: 'half' },
        isHashed,
      )
    for (const [path, type, status] of REFUSALS) {
      const big = contentOf(' ', BIG)
      const isStream = mayStream && index % 2 === 0
      const given = isStream ? { body: pieces(big), duplex: 'half' } : { body: big }
      const init = { method: 'POST', headers: { 'content-type': String(type) }, ...given }
      await check(`refused with ${status}`, String(path), Number(status), init)
    }
  }

  let next = 0
  const lane = async () => {
    while (next < ROUNDS) await round(next++)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  await check('large', '/bytes?size=20000000', 200, {}, (token, content) =>
    isEqual(content, contentOf(token, 20_000_000)),
  )
  return { sent, failed }
}
