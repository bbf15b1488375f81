import { WebOptionError } from './errors.ts'
import { isToken } from './options.ts'

/** A set of response headers, by names in lower case. */
export type HeaderSet = Readonly<Record<string, string>>

/**
 * For APIs (OWASP REST Security Cheat Sheet): nothing of a response is to be shown, framed or run. A client ignores HSTS
 * that comes without TLS (RFC 6797 section 8.1), and a proxy that ends TLS passes it on.
 */
const API: HeaderSet = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
}

const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'font-src': "'self' https: data:",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'script-src': "'self'",
  'script-src-attr': "'none'",
  'style-src': "'self' https: 'unsafe-inline'",
  'upgrade-insecure-requests': '',
}

const policyText = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy)
    .map(([name, sources]) => (sources === '' ? name : `${name} ${sources}`))
    .join(';')

/** The values of helmet 8. */
const HELMET: HeaderSet = {
  'content-security-policy': policyText(POLICY),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** Styles in the page need a nonce, as scripts do. */
const HTML: HeaderSet = {
  ...HELMET,
  'content-security-policy': policyText({ ...POLICY, 'style-src': "'self' https:" }),
}

/** The sets, by name. */
export const HEADER_SETS: Readonly<Record<'api' | 'html' | 'helmet', HeaderSet>> = {
  api: API,
  html: HTML,
  helmet: HELMET,
}

/** Fields that the transport decides. */
const OF_MESSAGE: ReadonlySet<string> = new Set(
  'connection content-length keep-alive trailer transfer-encoding upgrade date'.split(' '),
)
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/**
 * Returns the set of an option.
 *
 * @throws WebOptionError for a name or value that is no header, and for headers that frame the message
 */
export function headerSet(
  given: false | keyof typeof HEADER_SETS | Readonly<Record<string, string | false>>,
): HeaderSet {
  if (given === false) return {}
  if (typeof given === 'string') return HEADER_SETS[given]
  const set: Record<string, string> = { ...API }
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    assertHeader(lower, value)
    if (value === false) delete set[lower]
    else set[lower] = value
  }
  return set
}

function assertHeader(name: string, value: unknown): void {
  const problem = !isToken(name)
    ? 'is no name of a header'
    : OF_MESSAGE.has(name)
      ? 'is decided by the transport'
      : value !== false && (typeof value !== 'string' || !VALUE.test(value) || value.trim() !== value)
        ? 'has a value that is no text of a header: no line ends, no spaces around it'
        : null
  if (problem !== null) throw new WebOptionError('CLO_ERR_WEB_OPTION', `headers: '${name}' ${problem}`)
}

/** Adds a nonce to the sources of scripts and styles of a content security policy (CSP 3 section 2.3.1). */
export function withNonce(policy: string, nonce: string): string {
  const directives = policy.split(';').map((one) => one.trim())
  const source = `'nonce-${nonce}'`
  const fallback = directives.find((one) => one.startsWith('default-src '))?.slice('default-src '.length)
  for (const name of ['script-src', 'style-src']) {
    const at = directives.findIndex((one) => one === name || one.startsWith(`${name} `))
    const sources = at === -1 ? fallback : directives[at]?.slice(name.length + 1)
    const kept = sources === undefined || sources === "'none'" ? '' : `${sources} `
    const directive = `${name} ${kept}${source}`
    if (at === -1) directives.push(directive)
    else directives[at] = directive
  }
  return directives.filter((one) => one !== '').join(';')
}
