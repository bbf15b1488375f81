import type { CallSite } from '../call-site.ts'

const WARNINGS = {
  SCHEMA_MISSING:
    "the route {route} has a schema for its {part} that is undefined, so that its {part} is not validated; give it a schema or remove '{part}' (defined at {callSite})",
  HEADER_PATTERN_CAPITAL:
    'the schema for the headers of the route {route} has capital letters in expressions for names ({pointers}); names are lower case when they are compared, so that these match none. Write them in small letters (defined at {callSite})',
  VALUE_UNMATCHED:
    "the schema for the {part} of the route {route} has values without a type that no request matches ({pointers}), because a {part} arrives as text; add a 'type' beside them, or write them as texts (defined at {callSite})",
  DEFAULT_REFUSED: 'the schemas of the route {route} have a problem: {reason} (defined at {callSite})',
  PARAM_ABSENT:
    "the schema for the params of the route {route} requires '{names}', which its path does not have, so that every request is refused with 400; write the same names in the path and in the schema (defined at {callSite})",
  PARAM_UNDECLARED:
    "the schema for the params of the route {route} declares '{absent}', which its path does not have, and not '{names}', so that '{names}' is not validated; write the same names in the path and in the schema (defined at {callSite})",
  KEYWORD_IDLE:
    'the schema for the {part} of the route {route} has keywords that check nothing, because they are for values of another type: {keywords}; correct the type or the keyword (defined at {callSite})',
  REQUIRED_MISSPELT:
    "the schema for the {part} of the route {route} requires {names}; correct the name in 'required', or declare the property (defined at {callSite})",
  HOOK_MISSING: 'the route {route} is defined, although {problem} (defined at {callSite})',
  PLUGIN_HOOK_MISSING:
    "the plugin registered at {callSite} gets '{names}', which is undefined, so that no hook runs there; check the import, or await the plugin that adds the decorator. For no hook, leave the option out",
  SETTING_MISSING:
    "the setting '{name}' is set to {type}, which has no effect; check the import, or leave the call out (set at {callSite})",
  PATH_LITERAL:
    "the path of the route {route} has '{braces}', which matches only these letters; write ':{name}' for a parameter (defined at {callSite})",
  PATH_QUERY:
    "the path of the route {route} has '{query}', which is no part of a path: remove it, and read 'request.query' (defined at {callSite})",
  PART_OUTSIDE:
    "the route {route} has '{names}' beside its schema, so that nothing is validated by it; write schema: { {first}: … } (defined at {callSite})",
  PART_UNREAD:
    "the route {route} has 'schema.{name}', by which nothing is validated; write 'schema.{part}' (defined at {callSite})",
  SCHEMA_NESTED:
    "the route {route} has 'schema.{part}.schema', and the schema there describes a property with the name 'schema'; write it as 'schema.{part}' itself. If there is such a property, write { type: 'object', properties: { schema: … } } (defined at {callSite})",
  INJECT_OPTION_UNREAD:
    "app.inject has no option '{name}', so that it has no effect; write '{instead}' (called at {callSite})",
  PLUGIN_MISSING:
    "the route {route} has the option '{name}', which has no effect: no plugin of {package} is registered in its context or above. Register it before the route (defined at {callSite})",
  PREFIX_MISSPELT:
    "the plugin registered at {callSite} has the option '{name}', which it does not take{hint}",
  PARAM_TWICE:
    "the path of the route {route} has the parameter '{name}' twice, and 'request.params' has only its last value; give each parameter a name of its own (defined at {callSite})",
  OPTION_UNREAD:
    "the route {route} has the option '{names}', which has no effect there: the call names method and path, and app.register(plugin, { prefix }) the prefix. Remove it, or write app.route(options)",
  BODY_TYPE_UNPARSED:
    "the body schema of the route {route} declares {types}, which no parser reads, so that such bodies are refused with 415; add one with 'addContentTypeParser', or remove the type (defined at {callSite})",
  PARSER_WILDCARD:
    "the parser of '{type}' reads no body, because a media type is compared letter by letter; write an expression, such as /^image\\//, or '*' for all types without a parser (added at {callSite})",
  RAW_BODY_STREAMED:
    'the route {route} has rawBody: true, and its body schema declares {types}, whose parser reads a stream and keeps no bytes, so that such bodies are refused with 415; remove the type or rawBody, or add a parser with parseAs (defined at {callSite})',
  ERROR_HANDLER_REPLACED:
    "the error handler set at {callSite} takes precedence over the one set at {first} in the same context, which gets only what the new one passes on; 'allowErrorHandlerOverride: false' makes this an error",
  OPTIONS_UNKNOWN:
    "the framework has no option {names}; what the application gives under such a name is left to plugins, in 'app.initialConfig' (made at {callSite})",
  CERTIFICATE_MISSING:
    "the option 'https' has no {missing}, so that each TLS handshake fails: write https: { key, cert } (or pfx, or SNICallback), call app.server.setSecureContext before 'listen', or remove 'https' if a proxy ends TLS",
  PLUGIN_STYLES_MIXED:
    "the plugin '{name}', registered at {callSite}, is async and takes 'done' too; remove one of them",
  ERRORS_UNSEEN:
    "a request has failed, and neither its client nor a log has the reason: 'exposeErrors' is false, and the app has no logger. Set 'logger: true'; this warning comes once",
  PAYLOAD_MISSING:
    'the handler of {route} returned nothing, and the schema of the status {status} declares a payload, so that the client got an empty body. Return the payload on every path; this warning comes once for the route (defined at {callSite})',
  TYPE_WITHOUT_SLASH:
    "the reply of {route} has the content type '{type}', which no client knows: write a media type, such as 'application/json'; this warning comes once for the route (defined at {callSite})",
  LOG_LOST:
    'the log cannot be written, and lines are lost: {reason}; requests continue. Free the disk, or check the destination of the logger',
  PATTERN_SLOW: '{message}',
} as const

/** The name of a warning. Its code is `CLO_WRN_` and the name. */
export type WarningName = keyof typeof WARNINGS

/** The values for the placeholders in the message of a warning. */
export type WarningDetails = Readonly<Record<string, string | CallSite>>

/** Returns the message of a warning. */
export function warningText(name: WarningName, details: WarningDetails): string {
  return WARNINGS[name].replace(/\{(\w+)\}/g, (hole: string, key: string) => String(details[key] ?? hole))
}
