import library from '@fastify/proxy-addr'

/** The addresses of proxies. */
export function proxyAddr(): typeof library {
  return library
}
