/** A response without a success status. `follow`, and the functions of `queryOptions` and `mutationOptions` throw it. */
export class ReplyError extends Error {
  /** Method and path of the route. */
  readonly route: string
  /** The response. */
  readonly reply: { readonly status: number; readonly headers: Headers; readonly body: unknown }

  constructor(route: string, reply: ReplyError['reply']) {
    super(`${route}: ${reply.status}`)
    this.name = 'ReplyError'
    this.route = route
    this.reply = reply
  }
}
