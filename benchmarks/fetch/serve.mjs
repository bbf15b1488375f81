// Serves one of the apps on Bun or Deno: `serve.mjs <name>`. Prints the port.
import process from 'node:process'
import { APPS } from './apps.mjs'

/**
 * @typedef {object} Platform
 * @property {{ serve(options: object): { readonly port: number } }} [Bun]
 * @property {{ serve(options: object, handler: object): object }} [Deno]
 */

const name = process.argv[2] ?? ''
const create = APPS[name]
if (create === undefined) throw new Error(`there is no app ${name}`)
const fetch = await create()
const { Bun, Deno } = /** @type {Platform} */ (globalThis)
if (Bun !== undefined) console.log(Bun.serve({ port: 0, hostname: '127.0.0.1', fetch }).port)
else if (Deno !== undefined) {
  Deno.serve(
    {
      port: 0,
      hostname: '127.0.0.1',
      onListen: (/** @type {{ port: number }} */ { port }) => console.log(port),
    },
    // Bun and Deno hand over the address of the client beside the request.
    fetch,
  )
}
