/**
 * Keys of the framework's own state on objects that applications also see and decorate. A symbol cannot collide
 * with a decorator and does not show in logs.
 */

/** instance -> its context */
export const kContext: unique symbol = Symbol('cloister.context')
/** instance -> the app that it is part of */
export const kApp: unique symbol = Symbol('cloister.app')
/** root instance -> the options as the application wrote them; tools of the ecosystem find it by this description */
export const kOptions: unique symbol = Symbol('fastify.options')
/** request -> the hooks of its route, for tools of the ecosystem; they find it by this description */
export const kRouteContext: unique symbol = Symbol('fastify.context')
/** request, reply -> the plan of the route */
export const kPlan: unique symbol = Symbol('cloister.plan')
/** request, reply -> the exchange */
export const kExchange: unique symbol = Symbol('cloister.exchange')
/** request -> the raw query string, parsed on first use */
export const kQueryText: unique symbol = Symbol('cloister.queryText')
/** request -> lazily made members */
export const kQuery: unique symbol = Symbol('cloister.query')
export const kLog: unique symbol = Symbol('cloister.log')
export const kId: unique symbol = Symbol('cloister.id')
export const kHeaders: unique symbol = Symbol('cloister.headers')
export const kMediaType: unique symbol = Symbol('cloister.mediaType')
export const kExtras: unique symbol = Symbol('cloister.extras')
/** request -> the stream the body is read from (what `preParsing` returned) */
export const kBodyStream: unique symbol = Symbol('cloister.bodyStream')
/** request -> body bytes or text that await parsing */
export const kBodyBytes: unique symbol = Symbol('cloister.bodyBytes')
/** request -> the parser chosen for the body */
export const kParser: unique symbol = Symbol('cloister.parser')
/** reply -> a counter that grows when control passes on, and so ends older runs of stages and hooks */
export const kEpoch: unique symbol = Symbol('cloister.epoch')
/** reply -> a phase of `reply-phase.ts` */
export const kPhase: unique symbol = Symbol('cloister.phase')
export const kReplyHeaders: unique symbol = Symbol('cloister.reply.headers')
/** reply -> its status, until the application takes the raw response, which then owns it */
export const kStatus: unique symbol = Symbol('cloister.reply.status')
export const kStatusSet: unique symbol = Symbol('cloister.reply.statusSet')
export const kPayload: unique symbol = Symbol('cloister.reply.payload')
export const kSerializer: unique symbol = Symbol('cloister.reply.serializer')
export const kTrailers: unique symbol = Symbol('cloister.reply.trailers')
export const kStartTime: unique symbol = Symbol('cloister.reply.startTime')
export const kEndTime: unique symbol = Symbol('cloister.reply.endTime')
/** reply -> how many error handlers have run */
export const kErrorDepth: unique symbol = Symbol('cloister.reply.errorDepth')
/** reply -> whether the handler was called; kept where `undeclaredStatuses` asks for it */
export const kHandled: unique symbol = Symbol('cloister.reply.handled')
export const kDeadline: unique symbol = Symbol('cloister.reply.deadline')
export const kAwaited: unique symbol = Symbol('cloister.reply.awaited')
/** reply -> the `onError` hooks are running */
export const kInOnError: unique symbol = Symbol('cloister.reply.inOnError')
/** reply -> an error has been shown to the `onError` hooks */
export const kErrorSeen: unique symbol = Symbol('cloister.reply.errorSeen')
/** reply -> the message of the tracing channel of its request; `null` where nothing subscribes */
export const kRequestTrace: unique symbol = Symbol('cloister.requestTrace')
/** reply -> the message of the tracing channel of its handler */
export const kTrace: unique symbol = Symbol('cloister.trace')
