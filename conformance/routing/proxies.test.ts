// What proxies say of a request, and who is believed: generated chains of addresses and headers against a plain model.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { Random } from '../../packages/schema/test/validator/random.ts'
import { isEncrypted, TRUSTING } from '../harness/send.ts'
import { describeTransports } from '../harness/transports.ts'
import type { App } from '../harness/app-shape.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const ROUNDS = 60
const REQUESTS_EACH = 12

/** The addresses of the proxies, and what is within them and not. */
const FROM = ['10.0.0.0/8', 'fc00::/7', 'loopback']
const WITHIN = ['10.1.2.3', '10.255.255.255', 'fd00::1', '::1', '127.9.9.9', '::ffff:10.9.8.7']
const WITHOUT = ['203.0.113.9', '11.0.0.0', '9.255.255.255', '2001:db8::9', '::ffff:203.0.113.5', 'fe80::1']
const NO_ADDRESSES = [
  'unknown',
  '_hidden',
  '"10.0.0.1"',
  '10.0.0.1:',
  '10.0.0.1:123456',
  '10.0.0',
  '010.0.0.1',
  '1',
  '0x7f.1',
  '10.0.0.1/8',
  '256.1.1.1',
  '[10.0.0.1]',
  '[::1',
  '::1]',
  '::g',
  'for=10.0.0.1',
  '10.0.0.1 10.0.0.2',
  '10.0.0.1;8.8.8.8',
  '<script>',
]
const HOSTS = ['a.example', 'A.example:81', '[::1]:8', '[2001:db8::1]', '10.0.0.1', 'xn--a']
const NO_HOSTS = ['a b', 'a/b', 'u@a', 'http://a', 'a:99999', 'a:b', '[::1', ':80', 'a\\b', 'a?b', '<script>']
const PROTOCOLS = new Map([
  ['http', 'http'],
  ['https', 'https'],
  ['HTTPS', 'https'],
  ['ws', 'http'],
  ['wss', 'https'],
])
const NO_PROTOCOLS = ['ftp', 'https:', 'javascript', 'http https', 'httpss', '1', 'https;q=1', 'constructor']

/** An entry of a header; `null` is one that means nothing. */
interface Entry {
  readonly written: string
  readonly means: string | null
}

/** A setting of the option, and whether it believes an address at a distance from the app. */
interface Setting {
  readonly trustProxy: unknown
  believes(address: string, hop: number): boolean
}

const isWithin = (address: string): boolean => WITHIN.includes(address) || address === '127.0.0.1'

function randomSetting(random: Random): Setting {
  const hops = random.below(5)
  const from = random.chance(0.5) ? FROM : FROM.join(random.pick([',', ', ', ' , ']))
  return random.pick<Setting>([
    { trustProxy: false, believes: () => false },
    { trustProxy: true, believes: () => true },
    { trustProxy: from, believes: isWithin },
    { trustProxy: hops, believes: (_address, hop) => hop < hops },
    { trustProxy: { hops, from }, believes: (address, hop) => hop < hops && isWithin(address) },
    { trustProxy: { hops: String(hops), from }, believes: (address, hop) => hop < hops && isWithin(address) },
    { trustProxy: { hops, from: '192.0.2.0/24' }, believes: () => false },
    {
      trustProxy: (address: string, hop: number) => hop < hops && isWithin(address),
      believes: (address, hop) => hop < hops && isWithin(address),
    },
    // Who connects over a Unix domain socket has no address.
    {
      trustProxy: (address: string, hop: number) => hop < hops && (address === '' || isWithin(address)),
      believes: (address, hop) => hop < hops && (address === '' || isWithin(address)),
    },
  ])
}

function written(random: Random, address: string): string {
  const isLong = address.includes(':')
  const port = random.chance(0.5) ? `:${1 + random.below(65_535)}` : ''
  if (random.chance(0.6)) return address
  return isLong ? `[${address}]${port}` : `${address}${port}`
}

/** Entries as they lie in a header: the client's first, then what each proxy has added. */
function randomChain(random: Random): Entry[] {
  return Array.from({ length: random.below(6) }, () => {
    const kind = random.next()
    if (kind < 0.08) return { written: random.pick(['', ' ', '\t']), means: '' }
    if (kind < 0.2) return { written: random.pick(NO_ADDRESSES), means: null }
    const means = random.pick(kind < 0.7 ? WITHIN : WITHOUT)
    return { written: written(random, means), means }
  })
}

function randomList(random: Random, good: readonly Entry[], bad: readonly string[]): Entry[] {
  return Array.from({ length: random.below(4) }, () => {
    const kind = random.next()
    if (kind < 0.15) return { written: '', means: null }
    return kind < 0.5 ? { written: random.pick(bad), means: null } : random.pick(good)
  })
}

function headerOf(random: Random, entries: readonly Entry[]): string {
  return entries
    .map(({ written: text }) => (random.chance(0.3) ? ` ${text}\t` : text))
    .join(random.pick([',', ', ']))
}

/** The addresses from the connection on, as far as each is believed and says one; the first may have none. */
function modelOfAddresses(peer: string, chain: readonly Entry[], { believes }: Setting): string[] {
  const way = [peer]
  const said = chain.map(({ means }) => means).filter((means) => means !== '')
  while (said.length > 0 && believes(way[way.length - 1] ?? '', way.length - 1)) {
    const next = said.pop()
    if (next == null) break
    way.push(next)
  }
  return way.filter((address) => address !== '')
}

const plain = (text: string): Entry => ({ written: text, means: text })

/**
 * Sends requests behind generated proxies, and returns those whose outcome is not that of the model.
 *
 * @param peers - the addresses of the other end of the connection; an empty text for one that has none
 */
async function findDifferences(
  random: Random,
  createApp: (options: Record<string, unknown>) => App,
  ask: (app: App, peer: string, headers: Record<string, string>) => Promise<unknown>,
  protocol: string,
  peers: readonly string[],
): Promise<{ differences: unknown[]; distances: Set<number> }> {
  const differences: unknown[] = []
  const distances = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const setting = randomSetting(random)
    const app = createApp({ trustProxy: setting.trustProxy })
    app.get('/', ({ ip, ips, host, protocol: scheme }) => ({
      ip: ip ?? null,
      ips: ips ?? null,
      host,
      protocol: scheme,
    }))
    for (let i = 0; i < REQUESTS_EACH; i++) {
      const chain = randomChain(random)
      const hosts = randomList(random, HOSTS.map(plain), NO_HOSTS)
      const good = [...PROTOCOLS].map(([text, means]) => ({ written: text, means }))
      const protocols = randomList(random, good, NO_PROTOCOLS)
      const peer = random.pick(peers)
      const headers = {
        host: 'own.example',
        'x-forwarded-for': headerOf(random, chain),
        'x-forwarded-host': headerOf(random, hosts),
        'x-forwarded-proto': headerOf(random, protocols),
        // None of these is believed.
        forwarded: 'for=6.6.6.6;host=evil.example;proto=ftp',
        'x-real-ip': '6.6.6.6',
        'x-forwarded-port': '666',
        'x-forwarded-server': 'evil.example',
      }
      const isBelieved = setting.believes(peer, 0)
      const ips = modelOfAddresses(peer, chain, setting)
      const wanted = {
        ip: ips.at(-1) ?? null,
        ips: setting.trustProxy === false ? null : ips,
        host: (isBelieved ? hosts.at(-1)?.means : null) ?? 'own.example',
        protocol: (isBelieved ? protocols.at(-1)?.means : null) ?? protocol,
      }
      distances.add(ips.length)
      const got = await ask(app, peer, headers)
      if (JSON.stringify(got) !== JSON.stringify(wanted))
        differences.push({ trustProxy: setting.trustProxy, peer, headers, got, wanted })
    }
  }
  return { differences, distances }
}

describeTransports(
  'generated proxies',
  ({ createApp, send, ours, expect, transport, protocol }) => {
    ours('the peers believe hosts and schemes that are none')(
      'are trusted as far as the model trusts them',
      async () => {
        const random = new Random(SEED)
        const peers = transport === 'in-process' ? [...WITHIN, ...WITHOUT] : ['127.0.0.1']
        const ask = async (
          app: App,
          remoteAddress: string,
          headers: Record<string, string>,
        ): Promise<unknown> => {
          if (transport !== 'in-process') return (await send(app, { path: '/', headers })).json()
          return JSON.parse((await app.inject({ url: '/', headers, remoteAddress })).payload)
        }
        const { differences, distances } = await findDifferences(random, createApp, ask, protocol, peers)
        expect(differences.slice(0, 3), `CLOISTER_SEED=${SEED}`).toEqual([])
        // Chains that all end at once would prove nothing.
        expect(Math.max(...distances)).toBeGreaterThan(3)
      },
    )
  },
  ['in-process', 'socket', 'memory'],
)

/** Sends over a Unix domain socket, where the app listens on one path. */
async function askOnPath(app: App, headers: Record<string, string>): Promise<unknown> {
  if (!app.server.listening) await app.listen({ path: join(tmpdir(), `proxies-${randomUUID()}.sock`) })
  const socketPath = app.server.address()
  if (typeof socketPath !== 'string') throw new Error('the app does not listen on a path')
  const { request } = isEncrypted(app) ? https : http
  const outgoing = request({ socketPath, path: '/', headers, agent: false, ...TRUSTING }).end()
  const [incoming] = await once(outgoing, 'response')
  return json(incoming)
}

describeTransports(
  'generated proxies on a Unix domain socket',
  ({ createApp, ours, expect, protocol }) => {
    ours('the peers list an address that is undefined')(
      'have no address: no list names them, and every other setting trusts them as any',
      async () => {
        const random = new Random(SEED)
        const ask = (app: App, _peer: string, headers: Record<string, string>): Promise<unknown> =>
          askOnPath(app, headers)
        const { differences, distances } = await findDifferences(random, createApp, ask, protocol, [''])
        expect(differences.slice(0, 3), `CLOISTER_SEED=${SEED}`).toEqual([])
        expect(Math.max(...distances)).toBeGreaterThan(3)
      },
    )
  },
  ['socket'],
)

describeTransports(
  'proxies of another family of addresses',
  ({ createApp, ours, expect }) => {
    ours('4.x and early 5.x believe them')(
      'CVE-2026-90711: are not trusted because of a range that only looks like theirs',
      async () => {
        const ipOf = async (trustProxy: string, remoteAddress: string): Promise<unknown> => {
          const app = createApp({ trustProxy })
          app.get('/', ({ ip }) => ip)
          const headers = { 'x-forwarded-for': '6.6.6.6' }
          return (await app.inject({ url: '/', headers, remoteAddress })).payload
        }
        for (const range of ['::ffff:10.0.0.0/8', '::/64', '::ffff:0:0/80', '2001:db8::/32']) {
          for (const peer of ['203.0.113.15', '::ffff:203.0.113.15', '10.0.0.1'])
            expect([range, await ipOf(range, peer)]).toEqual([range, peer])
        }
        expect(await ipOf('::ffff:10.0.0.0/104', '10.0.0.1')).toBe('6.6.6.6')
        expect(await ipOf('::ffff:10.0.0.0/104', '11.0.0.1')).toBe('11.0.0.1')
        expect(await ipOf('10.0.0.0/8', '::ffff:10.0.0.1')).toBe('6.6.6.6')
      },
    )
  },
  ['in-process'],
)
