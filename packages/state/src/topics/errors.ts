/** The codes of a {@link TopicError}. */
export type TopicErrorCode =
  /** An option of the plugin or of a topic is not valid, or its name is taken. */
  | 'CLO_ERR_TOPIC_OPTION'
  /** A parameter of a topic is missing, or no text or number. */
  | 'CLO_ERR_TOPIC_PARAMS'
  /** A payload does not match the schema of its topic; nothing was published. */
  | 'CLO_ERR_TOPIC_PAYLOAD'
  /** The filter of a subscription returned something else than true or false. */
  | 'CLO_ERR_TOPIC_FILTER'

/** A mistake of the app in the use of a topic. */
export class TopicError extends Error {
  override readonly name: string = 'TopicError'
  /** Which mistake it is. */
  readonly code: TopicErrorCode
  /** 500, for error handlers: clients get no details. */
  readonly statusCode: number = 500

  /** Creates the error; `problem` says what is wrong, where, and what to write instead. */
  constructor(code: TopicErrorCode, problem: string, options?: ErrorOptions) {
    super(problem, options)
    this.code = code
  }
}
