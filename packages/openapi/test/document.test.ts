import { describe, expect, it } from 'vitest'
import { openApiDocument } from '@cloister/openapi'
import { hardApp } from './hard-app.ts'
import { errorsOf } from './validators.ts'

describe('the document of an app with hard cases', () => {
  it('is valid for three validators', async () => {
    const app = await hardApp()
    const document = openApiDocument(app)
    expect(await errorsOf(document)).toEqual([])
  })
})
