import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type {
  CallToolResult,
  InputRequiredResult,
  ReadResourceResult,
  ServerContext,
} from '@modelcontextprotocol/server'
import { jsonTextOf } from 'cloister/inspect'
import type { InspectedRoute, RequestConnection } from 'cloister/inspect'

import type { Gate } from './authorization.ts'
import { ArgumentError, createRequest, failure, readResult } from './call.ts'
import { confirm } from './confirm.ts'
import { ExactContents } from './exact-content.ts'
import { isRecord } from './errors.ts'
import type { McpRefusal } from './errors.ts'
import type { Settings } from './options.ts'
import { createReading, readContents, urlOf } from './read-resource.ts'
import type { Progress } from './read-items.ts'
import { candidatesFor } from './resources.ts'
import type { Resource } from './resources.ts'
import type { Entries, Tool } from './tools.ts'
import type { McpGrant, ResourceDescription, ToolDescription } from './types.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Where a message comes from, and what it may reach. */
export interface MessageSource {
  readonly request: { readonly body: unknown; readonly signal: AbortSignal }
  readonly caller: RequestConnection
  readonly settings: Settings
  readonly entries: Entries
  /** What the token of the caller grants; `null` without the option `authorization`. */
  readonly admitted: { readonly gate: Gate; readonly grant: McpGrant } | null
  /** Sends a request of the caller, which reaches the route or nothing. */
  readonly send: (request: Request, caller: object, route: InspectedRoute) => Promise<Response>
}

/** One message of a client, or a batch: its calls and readings, and what refused them. */
export class Message {
  /** The message for the SDK, with the numbers of arguments in place of them. */
  readonly body: unknown
  readonly #source: MessageSource
  readonly #contents = new ExactContents()
  readonly #refusals: (Response | McpRefusal)[] = []
  readonly #arguments: Arguments[] = []

  constructor(source: MessageSource) {
    this.#source = source
    const { body } = source.request
    this.body = Array.isArray(body) ? body.map(this.#takeArguments) : this.#takeArguments(body)
  }

  /** The tools that the caller's list has. */
  tools(): readonly ToolDescription[] {
    return this.#listed([...this.#source.entries.tools.values()])
  }

  /** The resources that the caller's list has. */
  resources(): readonly ResourceDescription[] {
    return this.#listed(this.#source.entries.resources)
  }

  /** @throws ProtocolError for a tool that does not exist, or arguments that no URL contains */
  async call(
    name: string,
    args: Arguments,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.#source.entries.tools.get(name)
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool '${name}'`)
    }
    const missing = this.#missing(tool)
    if (missing !== null) {
      this.#refusals.push(missing)
      return failure(missing.message)
    }
    try {
      return await this.#run(tool, this.#arguments[Number(args['number'])] ?? args, context)
    } catch (error) {
      if (error instanceof ArgumentError) return failure(error.message)
      if (isOther(error)) return failure(otherRoute(tool))
      throw error
    }
  }

  /** @throws ProtocolError for any response but a success */
  async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    const { caller, entries } = this.#source
    const url = urlOf(uri, caller)
    let refusal: McpRefusal | null = null
    for (const resource of candidatesFor(url.pathname, entries.resources)) {
      const missing = this.#missing(resource)
      refusal ??= missing
      const result =
        missing === null
          ? await this.#runReading(uri, createReading(url, resource, caller, this.#signal(signal)), resource)
          : null
      if (result !== null) return result
    }
    if (refusal === null) throw new ResourceNotFoundError(uri)
    this.#refusals.push(refusal)
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, refusal.message)
  }

  /**
   * What refuses the whole message, because it has refused all requests in it.
   *
   * @param requests - their number
   */
  refusal(requests: number): Response | McpRefusal | null {
    const [first = null] = this.#refusals
    return this.#refusals.length === requests ? first : null
  }

  /** Puts the contents of results into the response of the SDK, with their numbers as the routes wrote them. */
  async write(response: Response): Promise<Response> {
    return this.#contents.write(response)
  }

  #listed<T extends ToolDescription | ResourceDescription>(
    entries: readonly { readonly description: T }[],
  ): T[] {
    const { admitted } = this.#source
    return entries
      .map(({ description }) => description)
      .filter((entry) => admitted === null || admitted.gate.lists(entry, admitted.grant))
  }

  #missing({ description }: Tool | Resource): McpRefusal | null {
    const { admitted } = this.#source
    return admitted === null ? null : admitted.gate.refusalOf(description, admitted.grant)
  }

  async #run(
    tool: Tool,
    args: Arguments,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { request, caller, settings } = this.#source
    const textOf = (holder: object, key: string | number): string | undefined =>
      jsonTextOf(request, holder, key)
    const made = createRequest({ tool, args, caller, signal: this.#signal(context.mcpReq.signal), textOf })
    const shown = Object.keys(args).map((key) => `${key}: ${textOf(args, key) ?? ''}`)
    const refused = await confirm(tool, shown.join('\n'), context, Array.isArray(this.body))
    if (typeof refused === 'string') return failure(`nothing has run: ${refused}`)
    if (refused !== null) return refused
    const response = await this.#send(made, tool.route)
    const progress = progressOf(context)
    return readResult(tool, response, { limit: settings.payloadLimit, contents: this.#contents, progress })
  }

  /** Returns `null` for a URI that leads to another route, or to none. */
  async #runReading(uri: string, made: Request, resource: Resource): Promise<ReadResourceResult | null> {
    try {
      const response = await this.#send(made, resource.route)
      return await readContents(uri, resource, response, this.#source.settings.payloadLimit)
    } catch (error) {
      if (isOther(error)) return null
      throw error
    }
  }

  /** Aborts when the client leaves, or cancels the call. */
  #signal(ofCall: AbortSignal): AbortSignal {
    return AbortSignal.any([this.#source.request.signal, ofCall])
  }

  async #send(made: Request, route: InspectedRoute): Promise<Response> {
    const { request, admitted, send } = this.#source
    const response = await send(made, request, route)
    if (isRefusal(response)) {
      this.#refusals.push(admitted?.gate.withMetadata(response.clone()) ?? response.clone())
    }
    return response
  }

  /**
   * Replaces the arguments of a call by their number. The SDK copies what it gets, and the numbers in a copy are no
   * longer known as the client wrote them.
   */
  readonly #takeArguments = (message: unknown): unknown => {
    const params = isRecord(message) && message['method'] === 'tools/call' ? message['params'] : null
    if (!isRecord(message) || !isRecord(params) || !isRecord(params['arguments'])) return message
    const number = this.#arguments.push(params['arguments']) - 1
    return { ...message, params: { ...params, arguments: { number } } }
  }
}

/** Returns what sends each item to the client; `null` for a call without a token for progress. */
function progressOf({ mcpReq }: ServerContext): Progress | null {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return null
  return async (progress, message) =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
}

/** Whether a route requires credentials (RFC 9110, section 11.6.1). */
function isRefusal({ status, headers }: Response): boolean {
  return status === 401 || (status === 403 && headers.has('www-authenticate'))
}

/**
 * Whether a request would reach another route than its own. A value may lead there, as `me` does with `/users/:id`
 * and `/users/me`; so may the caller's Host, or `rewriteUrl`.
 */
function isOther(error: unknown): boolean {
  return isRecord(error) && String(error['code']).endsWith('_FETCH_ROUTE_OTHER')
}

function otherRoute({ description: { method, url } }: Tool): string {
  return `the request would not reach the route ${method} ${url}: check the values in params`
}
