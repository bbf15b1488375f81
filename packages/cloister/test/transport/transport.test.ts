import { expect, it } from 'vitest'

import { nodeEntryOf } from '../../src/transport/transport.ts'

it('says what to use where a transport has no server of Node', () => {
  const ask = (): unknown => nodeEntryOf({ node: null }, 'app.server', 'the server of the platform')
  expect(ask).toThrowError(
    expect.objectContaining({
      code: 'CLO_ERR_TRANSPORT_UNSUPPORTED',
      message: 'app.server is not available over this transport; use the server of the platform',
    }),
  )
})
