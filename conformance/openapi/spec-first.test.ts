// Public OpenAPI documents, each implemented by an app: what the app then writes is the document that it came from.
import { implement, openApiDocument, operationsOf } from '@cloister/openapi'
import { cloister } from 'cloister'
import { describe, expect, it } from 'vitest'

import { compareDocuments, isRecord } from './spec-first/compare.ts'
import type { Difference } from './spec-first/compare.ts'
import { publicDocuments } from './spec-first/documents.ts'
import { DIFFERENT, REASONS, REFUSED } from './spec-first/reasons.ts'

/** Implements a document, and returns the one that the app writes. */
async function rewritten(document: Readonly<Record<string, unknown>>): Promise<object> {
  const none = async (): Promise<void> => {}
  const named = (names: readonly string[]): Record<string, typeof none> =>
    Object.fromEntries(names.map((name) => [name, none]))
  const { components } = document
  const schemes = isRecord(components) ? components['securitySchemes'] : {}
  const app = cloister().setErrorHandler(() => 'an error')
  const handlers = named(operationsOf(document).map(({ operationId }) => operationId))
  app.register(implement(document, handlers, { security: named(Object.keys(schemes ?? {})) }))
  await app.ready()
  return openApiDocument(app)
}

function reasonOf(difference: Difference): string {
  const [reason] = REASONS.find(([, explains]) => explains(difference)) ?? []
  return (
    reason ??
    `${difference.pointer}: ${JSON.stringify(difference.was)} became ${JSON.stringify(difference.is)}`
  )
}

const documents = publicDocuments()
const accepted = documents.filter(({ name }) => REFUSED[name] === undefined)
const refused = documents.filter(({ name }) => REFUSED[name] !== undefined)

describe('an app that implements a public document', () => {
  it.each(accepted)('writes it as it was, but for what has a reason: $name', async ({ name, document }) => {
    const differences = compareDocuments(document, { ...(await rewritten(document)) })
    const reasons = new Set(differences.map(reasonOf))
    // Handlers need names.
    reasons.delete('operationId')
    expect([...reasons].toSorted()).toEqual(DIFFERENT[name] ?? [])
  })

  it.each(refused)('refuses what no app can do, and says where it is: $name', async ({ name, document }) => {
    await expect(rewritten(document)).rejects.toThrow(REFUSED[name])
  })

  it('has documents of both versions to compare', () => {
    const versions = accepted.map(({ document }) => String(document['openapi']).slice(0, 3))
    expect(versions.filter((version) => version === '3.0').length).toBeGreaterThan(20)
    expect(versions.filter((version) => version === '3.1').length).toBeGreaterThan(5)
  })
})
