import { websocket, WebSocketError } from '@cloister/websocket'
import { cloister } from 'cloister'
import { describe, expect, it } from 'vitest'

describe('the plugin', () => {
  it('refuses options, which would limit nothing', async () => {
    const given: object = { options: { maxPayload: 1024 } }
    const register = async (): Promise<unknown> => cloister().register(websocket, given).ready()
    await expect(register()).rejects.toThrow(WebSocketError)
    await expect(register()).rejects.toThrow(/no option 'options'; limits .* app\.ws\(path, \{ maxPayload \}/)
  })

  it('takes what register reads itself', async () => {
    const given: object = { prefix: '/a', logLevel: 'warn', logSerializers: {}, serialization: 'strict' }
    await cloister().register(websocket, given).ready()
  })
})
