import { createDocument } from '../document/create-document.ts'
import type { Documented } from '../document/create-document.ts'
import { ResponseJudge } from './judge.ts'
import { OperationCheck } from './operation-check.ts'
import type { CheckParts } from './operation-check.ts'
import type { CheckedApp, ContractOptions } from './options.ts'
import type { ContractProblem, ContractReport } from './report.ts'
import { RequestMaker } from './requests.ts'
import { DocumentSchemas, pointerTo } from './schemas.ts'
import { canSend } from './send.ts'
import { ValueMaker } from './values.ts'

/** Checks an app that is ready against its document. */
export async function runContractCheck(app: CheckedApp, options: ContractOptions): Promise<ContractReport> {
  const { document, operations } = createDocument(app, options.document)
  const schemas = new DocumentSchemas(document)
  const values = new ValueMaker(schemas)
  const seed = options.seed ?? Math.floor(Math.random() * 0x7fff_ffff)
  const parts: CheckParts = { app, options, seed, judge: new ResponseJudge(schemas) }
  const problems: ContractProblem[] = []
  const skipped: string[] = []
  let requests = 0
  for (const documented of operations) {
    const operation = labelOf(documented)
    if (!canSend(documented.method)) {
      skipped.push(`${operation}: inject cannot send this method`)
      continue
    }
    const { messages } = documented.route
    if (messages !== null) {
      const what = messages.protocol === 'websocket' ? 'open a WebSocket' : `switch to ${messages.protocol}`
      skipped.push(`${operation}: inject cannot ${what}`)
      continue
    }
    const located = locate(documented)
    const check = new OperationCheck(parts, located, new RequestMaker(located, schemas, values))
    const { callSite } = documented.route.description
    for (const { finding, curl } of await check.run()) {
      problems.push({ kind: finding.kind, message: finding.text, operation, callSite, curl })
    }
    requests += check.requests
    if (check.unusable !== null) {
      skipped.push(`${operation}: none of ${check.unusable} random requests was as the document says`)
    }
  }
  return { seed, operations: operations.length, requests, skipped, problems }
}

function locate({ method, template, operation }: Documented): ConstructorParameters<typeof RequestMaker>[0] {
  return { method, path: template.text, pointer: pointerTo('', 'paths', template.text, method), operation }
}

function labelOf({ method, template }: Documented): string {
  return `${method.toUpperCase()} ${template.text}`
}
