import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'

/** The address of a bound server as text: `http://127.0.0.1:3000`, or the path of a socket. */
export function originOf(address: AddressInfo | string, isSecure: boolean): string {
  if (typeof address === 'string') return address
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `${isSecure ? 'https' : 'http'}://${host}:${address.port}`
}

/** Where a server can be reached: an unspecified address stands for all of the machine's. */
export function reachableAt(origin: string): readonly string[] {
  if (!origin.includes('//0.0.0.0:') && !origin.includes('//[::]:')) return [origin]
  const family = origin.includes('0.0.0.0') ? 'IPv4' : ''
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((one) => family === '' || one.family === family)
    .map((one) =>
      origin.replace(/0\.0\.0\.0|\[::\]/, one.family === 'IPv6' ? `[${one.address}]` : one.address),
    )
}
