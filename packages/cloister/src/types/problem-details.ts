/** A violation in problem details. */
export interface ProblemIssue {
  /** The part of the request. */
  part: string
  /** The JSON pointer to the value that is not valid (RFC 6901); empty for the part itself. */
  pointer: string
  /** The keyword of JSON Schema that was violated; empty where another library has validated. */
  keyword: string
  /** The violation in words. */
  message: string
  /** Details of the violation; the keyword determines which. */
  params: Readonly<Record<string, unknown>>
}

/** Problem details (RFC 9457 section 3), with the members that the framework adds: `code` and `errors`. */
export interface ProblemDetails {
  /** A URI that identifies the kind of problem, or `about:blank`. */
  type: string
  /** The kind of problem in words: the reason phrase of the status. */
  title: string
  /** The status of the response. */
  status: number
  /** This problem in words; absent where it must stay in the log. */
  detail?: string
  /** The path of the request; absent where the bytes are no request, or the app is closing. */
  instance?: string
  /** The code of the error, as in `CLO_ERR_VALIDATION`. */
  code?: string
  /** The violations of a request that is not valid. */
  errors?: readonly ProblemIssue[]
}
