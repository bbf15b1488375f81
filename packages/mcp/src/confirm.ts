import { CLIENT_CAPABILITIES_META_KEY, inputRequired } from '@modelcontextprotocol/server'
import type {
  ElicitRequestFormParams,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server'

import { isRecord } from './errors.ts'
import type { Tool } from './tools.ts'

/** How long the client's user may take. */
const PATIENCE_MS = 600_000

/** Arguments beyond this length are cut in the question. */
const SHOWN_LENGTH = 1000

/** Marks the session of a client that asks its user: earlier revisions state capabilities once, for a session. */
const ASKS = '.asks'

/** Names the question among those of a call; there is only one. */
const QUESTION = 'confirm'

/** Creates the session of a client of an earlier revision. Its name holds what the client can do, so no process stores it. */
export function createSession(capabilities: unknown): string {
  return crypto.randomUUID() + (canConfirm(capabilities) ? ASKS : '')
}

/**
 * Asks the client's user whether a call may run, if its tool demands it.
 *
 * @param shown - the arguments, for the user
 * @param isBatch - whether the call is one of several in a message, whose response holds no questions
 * @returns `null` if it may run; the reason why not; or the result that makes a client of the revision 2026-07-28 ask
 *   its user, and call again
 */
export async function confirm(
  { confirms, description }: Tool,
  shown: string,
  context: ServerContext,
  isBatch: boolean,
): Promise<string | InputRequiredResult | null> {
  if (confirms === null) return null
  const envelope: object | undefined = context.mcpReq.envelope
  const session = context.http?.req?.headers.get('mcp-session-id') ?? ''
  const canAsk =
    envelope === undefined
      ? session.endsWith(ASKS) && !isBatch
      : canConfirm(Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY))
  if (!canAsk) {
    return confirms.isRequired ? 'the client cannot ask its user for the confirmation (elicitation)' : null
  }
  const text = confirms.text ?? `Run '${description.name}' (${description.method} ${description.url})?`
  const cut = shown.length > SHOWN_LENGTH ? `${shown.slice(0, SHOWN_LENGTH)}…` : shown
  const params = {
    message: `${text}\n${cut}`,
    requestedSchema: { type: 'object' as const, properties: {} },
  }
  if (envelope === undefined) return ask(params, context)
  const response = context.mcpReq.inputResponses?.[QUESTION]
  if (response !== undefined) return refusalOf(response)
  return inputRequired({ inputRequests: { [QUESTION]: inputRequired.elicit(params) } })
}

async function ask(params: ElicitRequestFormParams, { mcpReq }: ServerContext): Promise<string | null> {
  try {
    const options = { timeout: PATIENCE_MS, signal: mcpReq.signal }
    return refusalOf(await mcpReq.send({ method: 'elicitation/create', params }, options))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `asking the user has failed (${why})`
  }
}

function refusalOf(response: unknown): string | null {
  const action = isRecord(response) ? response['action'] : null
  if (action === 'accept') return null
  return action === 'decline' ? 'the user has declined' : 'the user has not confirmed'
}

/** Whether a client shows forms; without a mode, `elicitation` means that, too. */
function canConfirm(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : undefined
  return isRecord(elicitation) && ('form' in elicitation || Object.keys(elicitation).length === 0)
}
