import { WebSocket } from 'ws'

const json = (text: string): string => JSON.stringify({ text })

/** What clients send, by what that shows. */
const CASES: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
  messages: [json('one'), json('two'), json('end')],
  'a wrong message': ['{"text":5}'],
  'no JSON': ['{'],
  bytes: [new Uint8Array(2)],
  'a large message': [json('x'.repeat(300))],
  'a handler that fails': [json('fail')],
  'many messages': [...Array.from({ length: 100 }, (_, index) => json(String(index))), json('end')],
}

/** What a client of the route of `fixtures/runtimes/sockets` gets in each case, up to the close code and its reason. */
export async function socketResults(address: string): Promise<Record<string, readonly string[]>> {
  const results: Record<string, readonly string[]> = {}
  for (const [name, messages] of Object.entries(CASES)) results[name] = await talk(address, messages)
  results['another origin'] = await talk(address, [], { origin: 'https://evil.example' })
  results['another protocol'] = await talk(address, [json('end')], {}, ['other'])
  return results
}

function talk(
  address: string,
  messages: readonly (string | Uint8Array)[],
  headers = {},
  protocols = ['other', 'chat'],
): Promise<string[]> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/echo/blue`, protocols, { headers })
  const got: string[] = []
  return new Promise((resolve) => {
    socket.on('upgrade', (response) => {
      got.push(`${String(response.headers['x-hook'])} ${String(response.headers['sec-websocket-protocol'])}`)
    })
    socket.on('open', () => messages.forEach((message) => socket.send(message)))
    socket.on('message', (data) => got.push(String(data)))
    socket.on('error', ({ message }) => got.push(message))
    socket.on('close', (code, reason) => resolve([...got, `${code} ${String(reason)}`]))
  })
}
