import { runContractCheck } from './check.ts'
import type { CheckedApp, ContractOptions } from './options.ts'
import { ContractError } from './report.ts'
import type { ContractReport } from './report.ts'

/**
 * Checks an app against its OpenAPI document: draws requests from the document, sends them with `inject`, and
 * compares the responses with the document. The validator for this is not that of the framework. Requests change the
 * state of the app: use a test database.
 *
 * @returns what was checked
 * @throws {@link ContractError} with all differences, each with the request, the call site of the route and the seed
 * @throws OpenApiError when the app has no document, or `fast-check` is not installed
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { checkContract } from '@cloister/openapi/contract'
 *
 * const app = cloister()
 * const schema = { response: { 200: { type: 'object', properties: { title: { type: 'string' } } } } } as const
 * app.get('/books', { schema }, () => ({ title: 'Emma' }))
 * const { requests } = await checkContract(app, { runs: 5 })
 * ```
 */
export async function checkContract(app: CheckedApp, options: ContractOptions = {}): Promise<ContractReport> {
  await app.ready()
  const report = await runContractCheck(app, options)
  if (report.problems.length > 0) throw new ContractError(report)
  return report
}
