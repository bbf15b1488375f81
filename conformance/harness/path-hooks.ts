/** The hooks on the path of a request, in their order. */
export const PATH_HOOKS = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
] as const
