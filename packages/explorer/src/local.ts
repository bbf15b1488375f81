/** What is read of a request to decide whether it is from this machine. */
export interface Origin {
  readonly ip: string
  readonly hostname: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/
const LOCAL_NAME = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/i
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip']

/**
 * Whether a request is from this machine and for a name of it. Another name means that a page of another site has
 * pointed its own name here (DNS rebinding); a forwarded request is from a client behind a proxy.
 */
export function isLocal({ ip, hostname, headers }: Origin): boolean {
  return (
    LOOPBACK.test(ip) && LOCAL_NAME.test(hostname) && FORWARDED.every((name) => headers[name] === undefined)
  )
}
