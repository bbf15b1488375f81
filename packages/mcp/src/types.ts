import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { HookDescription } from 'cloister/types'
import type { JsonSchema, SchemaPurpose } from '@cloister/openapi/schema'

/** How a route appears to clients. */
export interface McpTool {
  /**
   * What the route is: a tool, which the model calls; a resource, which the program around the model reads; or both.
   * Only a GET route can be a resource.
   *
   * @default 'tool'
   */
  readonly as?: 'tool' | 'resource' | 'both'
  /**
   * Name of the tool or resource: letters, digits, `_`, `-` and `.`, at most 128.
   *
   * @default the `operationId` of the schema, or method and path, as in `get_books_id`
   */
  readonly name?: string
  /** Name for people. By default the `summary` of the schema. */
  readonly title?: string
  /** What the tool does, for the model. By default the `description` of the schema. */
  readonly description?: string
  /** Hints in addition to those that the method implies, as in `{ openWorldHint: true }`. Resources have none. */
  readonly annotations?: ToolAnnotations
  /**
   * Whether the client asks its user before each call (`elicitation/create`). A text is the question. With `true` or a
   * text, a client that cannot ask gets no call done. By default only tools with `destructiveHint` ask, as those of
   * DELETE routes do, and clients that cannot ask call them without; `false` never asks.
   */
  readonly confirm?: boolean | string
}

/** The option `mcp` of a route. */
export type McpRouteOption = boolean | McpTool

/** What an access token grants. */
export interface McpGrant {
  /** The resources for which it was issued; one of them must be `resource` of the option `authorization`. */
  readonly audience: string | readonly string[]
  /** The scopes that it has. */
  readonly scopes: readonly string[]
}

/** Access tokens for the endpoint (MCP authorization, RFC 9728). */
export interface McpAuthorization {
  /** The URL of the endpoint as clients name it, as in `'https://books.example.com/mcp'`. Tokens are issued for it. */
  readonly resource: string
  /** The issuers of the authorization servers. Clients find their endpoints from there (RFC 8414). */
  readonly authorizationServers: readonly string[]
  /**
   * Returns what a token grants, or `null` for one that is not valid: checks signature, issuer and time. The plugin
   * compares the audience.
   */
  readonly verify: (token: string) => McpGrant | null | Promise<McpGrant | null>
  /**
   * Lists only the tools and resources whose scopes the caller has. Clients don't ask for scopes of what they don't
   * know.
   *
   * @default false
   */
  readonly listAdmitted?: boolean
}

/** Options of the plugin. */
export interface McpOptions {
  /**
   * Path of the endpoint, below the prefix of the context.
   *
   * @default '/mcp'
   */
  readonly path?: string
  /**
   * Name and version of the server, as clients show it.
   *
   * @default { name: 'cloister', version: '0.0.0' }
   */
  readonly info?: { readonly name: string; readonly version: string; readonly title?: string }
  /** How the tools belong together, for the model. */
  readonly instructions?: string
  /**
   * Origins of pages that may use the endpoint, as in `'https://chat.example.com'`. A request with another `Origin`
   * gets the status 403; programs send no `Origin`.
   *
   * @default []
   */
  readonly allowedOrigins?: readonly string[]
  /**
   * Largest payload of a route in bytes; a call with a larger one fails.
   *
   * @default 1_048_576
   */
  readonly payloadLimit?: number
  /**
   * Access tokens for the endpoint. Without this option everyone may list tools, and the guards of routes alone decide
   * about calls.
   */
  readonly authorization?: McpAuthorization
  /** Converts a schema of another library without JSON Schema to JSON Schema. */
  readonly toJsonSchema?: (schema: unknown, purpose: SchemaPurpose) => object | boolean | undefined
}

/** A tool, with its route. */
export interface ToolDescription {
  /** Name of the tool. */
  readonly name: string
  /** Name for people. */
  readonly title?: string
  /** What the tool does. */
  readonly description?: string
  /** What a client may assume about it. */
  readonly annotations: ToolAnnotations
  /** JSON Schema of the arguments: the parts `params`, `query` and `body` that the route has. */
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  /** JSON Schema of the structured result; without one, results are text. */
  readonly outputSchema?: JsonSchema & { readonly type: 'object' }
  /** Method of the route. */
  readonly method: string
  /** Path of the route, with its prefix. */
  readonly url: string
  /** Where the route was defined. */
  readonly callSite: string | null
  /** The hooks that run before the handler, in order, for calls as for any request to the route. */
  readonly guards: readonly HookDescription[]
}

/** A resource, or a template of resources, with its route. */
export interface ResourceDescription {
  /** Its URI, as in `'route:/books'`; `null` if each URI has values of parameters. */
  readonly uri: string | null
  /** The template of its URIs (RFC 6570), as in `'route:/books/{id}'`; `null` for a route without parameters. */
  readonly uriTemplate: string | null
  /** Name of the resource. */
  readonly name: string
  /** Name for people. */
  readonly title?: string
  /** What the resource is. */
  readonly description?: string
  /** The media type, if the response schemas of the route have one. */
  readonly mimeType?: string
  /** Method of the route. */
  readonly method: string
  /** Path of the route, with its prefix. */
  readonly url: string
  /** Where the route was defined. */
  readonly callSite: string | null
  /** The hooks that run before the handler, in order. */
  readonly guards: readonly HookDescription[]
}

/** The decorator of the plugin. */
export interface McpTools {
  /**
   * The tools, in the order in which their routes were defined.
   *
   * @throws {@link McpError} before the app is ready
   */
  readonly tools: readonly ToolDescription[]
  /**
   * The resources and their templates, in the order in which their routes were defined.
   *
   * @throws {@link McpError} before the app is ready
   */
  readonly resources: readonly ResourceDescription[]
}

declare module 'cloister' {
  interface RouteShorthandOptions {
    /** Whether, and how, the route is a tool or a resource of the Model Context Protocol. Read by `@cloister/mcp`. */
    mcp?: McpRouteOption
  }
}
