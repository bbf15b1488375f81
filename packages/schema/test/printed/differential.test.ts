import { vi } from 'vitest'
import '../validator/differential.test.ts'

vi.mock('../../src/codegen/evaluate.ts', async () => {
  const { evaluatePrinted } = await import('./evaluate.ts')
  return { evaluate: evaluatePrinted, canEvaluate: () => true }
})
vi.mock('../../src/tiers.ts', async () => {
  const { TiersWithCode } = await import('./tiers.ts')
  return { Tiers: TiersWithCode }
})
